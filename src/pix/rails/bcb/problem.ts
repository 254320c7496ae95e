/** What we read of what the API Pix says of a failure: RFC 7807, `Problema` of the standard. Every member may be missing in practice. */
interface Problem {
  readonly type?: unknown;
  readonly violacoes?: unknown;
}

/**
 * The PSP understood a request and will not do it: 400, 404, 409, 410, 422. Whether the thing exists nevertheless (by
 * an earlier try whose answer was lost) only a question to the PSP tells.
 */
export class ApiPixRefusal extends Error {
  override readonly name = 'ApiPixRefusal';

  private constructor(
    readonly status: number,
    /** The last part of `type`, as in `https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida`; `Http400` without one. */
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }

  /** What the PSP wrote freely (`title`, `detail`, a violation's reason) is left out: it may repeat what it was sent. */
  static of(status: number, body: unknown): ApiPixRefusal {
    const { type, violacoes }: Problem = typeof body === 'object' && body !== null ? body : {};
    const kind = (typeof type === 'string' && /\/([A-Za-z]{1,60})$/.exec(type)?.[1]) || `Http${status}`;
    const violated = violatedProperties(violacoes);
    return new ApiPixRefusal(
      status,
      kind,
      violated.length > 0 ? `${status} ${kind}: ${violated.join(', ')}` : `${status} ${kind}`,
    );
  }
}

/** Names of members, as `cob.devedor.cpf`. */
function violatedProperties(violacoes: unknown): string[] {
  if (!Array.isArray(violacoes)) return [];
  return (violacoes as { propriedade?: unknown }[])
    .map((one) => one?.propriedade)
    .filter((name) => typeof name === 'string' && /^[a-z][a-z.[\]]{0,99}$/i.test(name)) as string[];
}
