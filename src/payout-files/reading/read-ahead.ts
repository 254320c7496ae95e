import { PassThrough, pipeline, type Readable } from 'node:stream';

const AHEAD = 16 * 1024 * 1024;

/**
 * Takes what arrives up to a bound before it is checked: a process under load must not hold a sender up beyond the time
 * that a request has.
 */
export function readAhead(body: Readable): AsyncIterable<Uint8Array> {
  const ahead = new PassThrough({ readableHighWaterMark: AHEAD });
  // A fault of the sender is thrown to the reader.
  pipeline(body, ahead, () => undefined);
  return ahead;
}
