import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type AppError,
  ExpectationFailed,
  HeadersTooLarge,
  RequestTimeout,
  RouteNotFound,
  ValidationError,
} from '../errors/index.js';
import { closeLingering } from './lingering-close.js';

/**
 * Answers malformed or oversized HTTP with the service's error body, and closes the connection. Such a request reaches
 * no route or hook, so its headers are written here.
 */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
) {
  if (error.code === 'ECONNRESET') socket.destroy();
  else answerLast(toAppError(error.code), socket, headers);
}

/** Answers CONNECT, which asks for a tunnel and not for a route. Node has handed the connection over. */
export function answerConnect(socket: Socket, headers: Readonly<Record<string, string>>): void {
  answerLast(new RouteNotFound('There is no such route.'), socket, headers);
}

function answerLast(refusal: AppError, socket: Socket, headers: Readonly<Record<string, string>>): void {
  // It has had its last answer.
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { fields, body } = answerOf(refusal, headers);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
  closeLingering(socket);
}

/** RFC 9110, 10.1.1: no expectation but `100-continue` is supported. */
export function answerExpectation(
  _request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  const refusal = new ExpectationFailed('The only expectation that is met is 100-continue.');
  const { fields, body } = answerOf(refusal, headers);
  response.writeHead(refusal.status, fields).end(body);
}

function answerOf(refusal: AppError, headers: Readonly<Record<string, string>>) {
  const body = JSON.stringify(refusal.body());
  const fields = {
    ...headers,
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { fields, body };
}

function toAppError(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeout('The request did not come whole in time.');
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge('The headers are too large.');
  return notHttp();
}

export function notHttp(): ValidationError {
  return new ValidationError([{ path: '', code: 'InvalidFormat', message: 'the request is not valid HTTP', info: {} }]);
}
