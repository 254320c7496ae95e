import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type AppError, HeadersTooLarge, RequestTimeout, ValidationError } from '../errors/index.js';

/**
 * Answers what is no HTTP, or too much of it, in the shapes of every other error, and closes the connection. It never
 * reaches a route or a hook, so its headers are written here.
 */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = toAppError(error.code);
  const body = JSON.stringify(refusal.body());
  const lines = Object.entries({
    ...headers,
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
}

function toAppError(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeout('The request did not come whole in time.');
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge('The headers are too large.');
  return notHttp();
}

export function notHttp(): ValidationError {
  return new ValidationError([{ path: '', code: 'InvalidFormat', message: 'the request is not valid HTTP', info: {} }]);
}
