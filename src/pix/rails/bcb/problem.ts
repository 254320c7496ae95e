import { type ApiPixDialect, type Meaning, meaningOf, STANDARD } from './dialect.js';

/** What we read of what the API Pix says of a failure: RFC 7807, `Problema` of the standard. Every member may be missing in practice. */
interface Problem {
  readonly type?: unknown;
  /** Some have a word of their own instead of `type`. */
  readonly nome?: unknown;
  readonly violacoes?: unknown;
}

/**
 * What the PSP says of a request that it does not do. Whether the thing exists nevertheless (by
 * an earlier try whose answer was lost) only a question to the PSP tells.
 */
export class ApiPixRefusal extends Error {
  override readonly name = 'ApiPixRefusal';

  private constructor(
    readonly status: number,
    /** The PSP's `nome`, or the last part of `type`, as in `https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida`; `Http400` without one. */
    readonly kind: string,
    readonly meaning: Meaning,
    message: string,
  ) {
    super(message);
  }

  /** What the PSP wrote freely (`title`, `detail`, a violation's reason) is left out: it may repeat what it was sent. */
  static of(status: number, body: unknown, dialect: Pick<ApiPixDialect, 'words'> = STANDARD): ApiPixRefusal {
    const { type, nome, violacoes }: Problem = typeof body === 'object' && body !== null ? body : {};
    const told = typeof type === 'string' ? /\/([A-Za-z]{1,60})$/.exec(type)?.[1] : wordOf(nome);
    const kind = told ?? `Http${status}`;
    const violated = violatedProperties(violacoes);
    return new ApiPixRefusal(
      status,
      kind,
      meaningOf(status, kind, dialect),
      violated.length > 0 ? `${status} ${kind}: ${violated.join(', ')}` : `${status} ${kind}`,
    );
  }
}

function wordOf(nome: unknown): string | undefined {
  return typeof nome === 'string' && /^[A-Za-z_]{1,60}$/.test(nome) ? nome : undefined;
}

/** Names of members, as `cob.devedor.cpf`. */
function violatedProperties(violacoes: unknown): string[] {
  if (!Array.isArray(violacoes)) return [];
  return (violacoes as { propriedade?: unknown }[])
    .map((one) => one?.propriedade)
    .filter((name) => typeof name === 'string' && /^[a-z][a-z.[\]]{0,99}$/i.test(name)) as string[];
}
