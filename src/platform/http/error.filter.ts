import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AppError,
  InternalError,
  MethodNotAllowed,
  PayloadTooLarge,
  UnsupportedMediaType,
  ValidationError,
} from '../errors/index.js';
import { type CallerCheck, isOfBody, NOT_JSON } from './body-faults.js';
import { notHttp } from './malformed-http.js';
import { replyOf, requestOf } from './request-of.js';
import type { RouteTable } from './route-table.js';

/** Turns any error into one of the bodies of contract 7; no internals leak. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('HTTP');

  constructor(
    private readonly routes: RouteTable,
    private readonly assertCaller: CallerCheck,
  ) {}

  /** Authentication comes before the shape of the body (decisions 5), though a body is read before a guard runs. */
  catch(thrown: unknown, host: ArgumentsHost): void {
    const reply = replyOf(host);
    const request = requestOf(host);
    if (!isOfBody(thrown)) return this.answer(thrown, request, reply);
    this.assertCaller(request, reply).then(
      () => this.answer(thrown, request, reply),
      (refusal: unknown) => this.answer(refusal, request, reply),
    );
  }

  /** Where Nest catches nothing: on routes that are not its own. */
  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = this.#toAppError(thrown, request);
    const err = (thrown as { cause?: unknown } | undefined)?.cause ?? thrown;
    if (error.logLevel === 'error') this.#logger.error({ err, requestId: request.id }, error.message);
    else if (error.logLevel === 'warn') this.#logger.warn({ err, requestId: request.id }, error.message);
    if (error.retryAfterSeconds !== undefined) void reply.header('retry-after', String(error.retryAfterSeconds));
    if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
    if (error instanceof MethodNotAllowed) void reply.header('allow', error.allowed.join(', '));
    void reply.status(error.status).header('content-type', 'application/json; charset=utf-8').send(error.body());
  }

  #toAppError(thrown: unknown, request: FastifyRequest): AppError {
    if (thrown instanceof AppError) return thrown;
    const status = statusOf(thrown);
    if (status === 404) return this.routes.refusal(request.method, request.url);
    if (status === 413) return tooLarge(request.routeOptions.bodyLimit);
    if (status === 415) return new UnsupportedMediaType(NOT_JSON);
    if (status !== undefined && status < 500) return malformed(thrown);
    return new InternalError();
  }
}

function tooLarge(limit: number): PayloadTooLarge {
  const most = limit < 1024 * 1024 ? `${limit / 1024} KiB` : `${limit / 1024 / 1024} MiB`;
  return new PayloadTooLarge(`The body must not be larger than ${most}.`);
}

function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof SyntaxError) return 400;
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}

/** Refusals by Fastify before a route is reached: mostly malformed JSON. */
function malformed(thrown: unknown): AppError {
  const ofBody = thrown instanceof SyntaxError || /JSON|CTP/i.test(String((thrown as Error).message));
  return ofBody
    ? new ValidationError([{ path: '', code: 'InvalidJson', message: 'the body must be valid JSON', info: {} }])
    : notHttp();
}
