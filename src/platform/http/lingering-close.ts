import type { Socket } from 'node:net';

/** After the answer, for a caller that goes on sending. */
const LINGER_MS = 5_000;

/**
 * Ends a connection whose caller may still be sending: what comes is read and dropped, for up to five seconds. Closed
 * at once, the kernel would reset it, and the caller could lose the answer (RFC 9112, 9.6).
 */
export function closeLingering(socket: Socket): void {
  if (socket.writableEnded) return;
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
