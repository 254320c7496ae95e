import { type ErrorReason, statusOfReason } from '../errors/index.js';
import { errorAnswer, FaultDetailBody } from './error-answers.js';
import type { Envelope, Json } from './envelope.js';
import { KEY } from './idempotency.js';
import type { Page } from './pagination.js';
import type { Dto } from './rules.js';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';

type CallbacksObject = NonNullable<NonNullable<Parameters<typeof ApiOperation>[0]>['callbacks']>;
type Schema = Record<string, unknown>;

const REUSE: readonly ErrorReason[] = ['IdempotencyKeyReuse'];

interface Route {
  readonly summary: string;
  readonly description?: string;
  /** 200 if absent. */
  readonly status?: number;
  /** 304 to who has it already (`isKnown`). */
  readonly unchanged?: true;
  /** Errors beside 400, 429, 500 and 503, which every route may give, and 413 and 415, which all but GET may. */
  readonly errors?: readonly number[];
  /** Every reason that the route's own rules may refuse with; their statuses need not stand among `errors`. */
  readonly reasons?: readonly ErrorReason[];
  /** No token is needed. */
  readonly public?: true;
  /** What is sent to an address that the request names, and the classes of it. */
  readonly callbacks?: CallbacksObject;
  readonly models?: readonly Dto[];
  /** The route takes `Idempotency-Key`. */
  readonly idempotent?: true;
}

/** A success: the class of what is under `data`, and a whole body. */
interface Answer<A extends object> extends Route {
  readonly answer: Dto<A>;
  readonly example: Json<Envelope<NoInfer<A>>>;
}

/** A success that is a page: the class of its items. */
interface ListAnswer<A extends object> extends Route {
  readonly answer: Dto<A>;
  readonly list: true;
  readonly example: Json<Envelope<Page<NoInfer<A>>>>;
}

/** A success whose body is the class, with nothing around it: what others have laid down. */
interface BareAnswer<A extends object> extends Route {
  readonly answer: Dto<A>;
  readonly bare: true;
  readonly contentType?: string;
  readonly example: Json<NoInfer<A>>;
}

/** A success that is not JSON. */
interface OtherAnswer extends Route {
  readonly contentType: string;
  readonly example?: string;
}

type AnyAnswer = Route & {
  readonly [option in 'answer' | 'list' | 'bare' | 'contentType' | 'example']?: unknown;
};

/** Stands above a handler that gives this, and above no other. */
type HandlerOf<B> = <Handler extends (...parameters: never[]) => B | Promise<B>>(
  controller: object,
  name: string | symbol,
  handler: TypedPropertyDescriptor<Handler>,
) => void;

/** Documents a route: what it does, its answer with an example, and every error. The compiler holds the handler to it. */
export function Answers<A extends object>(options: ListAnswer<A>): HandlerOf<Envelope<Page<A>>>;
export function Answers<A extends object>(options: BareAnswer<A>): HandlerOf<A>;
export function Answers<A extends object>(options: Answer<A>): HandlerOf<Envelope<A>>;
export function Answers(options: OtherAnswer): MethodDecorator;
export function Answers(options: AnyAnswer): MethodDecorator {
  const reasons = Map.groupBy([...(options.reasons ?? []), ...(options.idempotent ? REUSE : [])], statusOfReason);
  const statuses = new Set([
    ...(options.errors ?? []),
    ...reasons.keys(),
    ...(options.public ? [] : [401, 403]),
    400,
    429,
    500,
    503,
  ]);
  const { answer, contentType = 'application/json', example } = options as Partial<BareAnswer<object> & OtherAnswer>;
  const schema = answer ? successOf(answer, options) : { type: 'string' };
  const { status = 200 } = options;
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(FaultDetailBody, ...(options.models ?? []), ...(answer ? [answer] : [])),
    ApiOperation({ summary: options.summary, description: options.description ?? '', callbacks: options.callbacks }),
    ApiResponse({ status, description: 'Success', content: { [contentType]: { schema, example } } }),
    ...(options.unchanged ? [ApiResponse({ status: 304, description: 'Not changed: `If-None-Match` names it' })] : []),
    ...(options.idempotent
      ? [
          ApiHeader({
            name: 'Idempotency-Key',
            required: false,
            schema: { type: 'string', minLength: 1, maxLength: 255, pattern: KEY.source },
            description:
              '1 to 255 visible ASCII characters. The same key with the same request gives the first answer again.',
          }),
        ]
      : []),
    ...[...statuses].sort().map((status) => ApiResponse({ status, ...errorAnswer(status, reasons.get(status)) })),
  );
}

function successOf(answer: Dto, { list, bare, example }: AnyAnswer): Schema {
  const one = { $ref: getSchemaPath(answer) };
  if (bare) return one;
  const page = { items: { type: 'array', items: one }, nextCursor: { type: ['string', 'null'] } };
  const statusCode = { type: 'string', enum: [(example as Envelope<unknown>).statusCode] };
  return objectOf({ statusCode, data: list ? objectOf(page) : one });
}

const objectOf = (properties: Schema): Schema => ({ type: 'object', required: Object.keys(properties), properties });
