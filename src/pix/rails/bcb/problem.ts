import { type ApiPixDialect, type Meaning, meaningOf, STANDARD } from './dialect.js';

/** The members of an error body that we read: RFC 7807, `Problema` of the API Pix. In practice each may be missing. */
interface Problem {
  readonly type?: unknown;
  /** Some PSPs have a name of their own instead of `type`. */
  readonly nome?: unknown;
  readonly violacoes?: unknown;
}

/**
 * The PSP refused a request. An earlier attempt may have succeeded, with its answer lost: only a query of the PSP shows
 * that.
 */
export class ApiPixRefusal extends Error {
  override readonly name = 'ApiPixRefusal';

  private constructor(
    readonly status: number,
    /**
     * The PSP's `nome`, or the last part of `type`, as in `https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida`;
     * `Http400` without one.
     */
    readonly kind: string,
    readonly meaning: Meaning,
    message: string,
  ) {
    super(message);
  }

  /** No name of an error came with it: it may be a proxy's, and says nothing about what was asked for. */
  get isBare(): boolean {
    return this.kind === `Http${this.status}`;
  }

  /**
   * Free text of the PSP (`title`, `detail`, a violation's reason) is left out: it may repeat personal data of the
   * request.
   */
  static of(status: number, body: unknown, dialect: Pick<ApiPixDialect, 'meanings'> = STANDARD): ApiPixRefusal {
    const { type, nome, violacoes }: Problem = typeof body === 'object' && body !== null ? body : {};
    const named = typeof type === 'string' ? /\/([A-Za-z]{1,60})$/.exec(type)?.[1] : nameOf(nome);
    const kind = named ?? `Http${status}`;
    const violated = violatedProperties(violacoes);
    return new ApiPixRefusal(
      status,
      kind,
      meaningOf(status, kind, dialect),
      violated.length > 0 ? `${status} ${kind}: ${violated.join(', ')}` : `${status} ${kind}`,
    );
  }
}

function nameOf(nome: unknown): string | undefined {
  return typeof nome === 'string' && /^[A-Za-z_]{1,60}$/.test(nome) ? nome : undefined;
}

/** Names of members, as `cob.devedor.cpf`. */
function violatedProperties(violacoes: unknown): string[] {
  if (!Array.isArray(violacoes)) return [];
  return (violacoes as { propriedade?: unknown }[])
    .map((one) => one?.propriedade)
    .filter((name) => typeof name === 'string' && /^[a-z][a-z.[\]]{0,99}$/i.test(name)) as string[];
}
