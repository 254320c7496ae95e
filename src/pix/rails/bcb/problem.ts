/** What the API Pix says of a failure: RFC 7807, `Problema` of the standard. Every member may be missing in practice. */
interface Problem {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly detail?: unknown;
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

  static of(status: number, body: unknown): ApiPixRefusal {
    const { type, title, detail, violacoes }: Problem = typeof body === 'object' && body !== null ? body : {};
    const kind = (typeof type === 'string' && /[A-Za-z]\w*$/.exec(type)?.[0]) || `Http${status}`;
    const told = [title, detail, ...violationsOf(violacoes)].filter((one) => typeof one === 'string' && one !== '');
    return new ApiPixRefusal(status, kind, [`${status} ${kind}`, ...told].join(': '));
  }
}

/** Property and reason. The value is left out: it may be a person's. */
function violationsOf(violacoes: unknown): string[] {
  if (!Array.isArray(violacoes)) return [];
  return (violacoes as { propriedade?: unknown; razao?: unknown }[]).map((one) =>
    [one?.propriedade, one?.razao].filter((part) => typeof part === 'string').join(' '),
  );
}
