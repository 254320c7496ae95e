import type { Socket } from 'node:net';

/** After the answer, for a caller that goes on sending. */
const LINGER_MS = 5_000;
const closing = new WeakSet<Socket>();

/**
 * Ends a connection whose caller may still be sending: what comes is read and dropped, for up to five seconds. Closed at
 * once, the kernel would reset it, and the caller could lose the answer (RFC 9112, 9.6).
 */
export function closeLingering(socket: Socket): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Whether the connection has had its last answer: nothing more is done for what it sends. */
export const isClosing = (socket: Socket): boolean => closing.has(socket);
