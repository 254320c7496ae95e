import { finished, PassThrough, type Readable } from 'node:stream';

const AHEAD = 16 * 1024 * 1024;

/**
 * Takes what arrives up to a bound before it is checked: a process under load must not hold a sender up beyond the time
 * that a request has. Destroy it when nothing more is read: until then it fills.
 */
export function readAhead(body: Readable): Readable {
  const ahead = new PassThrough({ readableHighWaterMark: AHEAD });
  // A fault of the sender is thrown to the reader, if there still is one.
  ahead.on('error', () => undefined);
  finished(body, (fault) => fault && ahead.destroy(fault));
  // What nobody reads passes by: a sender may look for the answer only after the last byte.
  ahead.once('close', () => body.unpipe(ahead).resume());
  return body.pipe(ahead);
}
