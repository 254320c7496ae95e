import type { CallOptions } from './calls.js';
import { NoAnswerError } from './errors.js';
import { pause } from './retry.js';
import type { Transport } from './transport.js';
import type { PayoutFile, PayoutFileResult } from './types.js';

export interface FollowOptions extends CallOptions {
  /** Called with the file at each step of its progress, its end included. */
  readonly onProgress?: (file: PayoutFile) => void;
  /** Milliseconds between two looks. Default 1,000. */
  readonly everyMs?: number;
}

/** Looks at a file until nothing more of it is requested; gives it as it is then. */
export async function followFile(
  get: () => Promise<PayoutFile>,
  { onProgress, everyMs = 1_000, signal }: FollowOptions,
): Promise<PayoutFile> {
  for (let before = ''; ;) {
    const file = await get();
    const counts = JSON.stringify([file.state, file.counts]);
    if (counts !== before) onProgress?.(file);
    before = counts;
    if (file.endedAt !== null) return file;
    await pause(everyMs, signal);
  }
}

/**
 * The results of a file, one line at a time, as they arrive.
 * @param get the file: it tells how many there are at least
 * @throws NoAnswerError where they broke off: a line that is not among them may have been paid
 */
export async function* resultsOf(
  transport: Transport,
  path: string,
  { signal }: CallOptions,
  get: () => Promise<PayoutFile>,
): AsyncGenerator<PayoutFileResult, void, undefined> {
  const query = { format: 'jsonl' };
  const { lines: all, counts } = await get();
  let missing = all - counts.waiting - counts.cancelled;
  const body = await transport.stream({ method: 'GET', path, query, ...(signal && { signal }) });
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const bytes of body) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop()!;
      missing -= lines.length;
      for (const line of lines) yield JSON.parse(line) as PayoutFileResult;
    }
    // A proxy may end a body whose sender has died as if it were whole.
    if (rest + decoder.decode() !== '') throw new Error('the last line is cut');
    if (missing > 0) throw new Error(`${missing} lines are missing`);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new NoAnswerError(`GET ${path}: the results broke off`, { cause });
  }
}
