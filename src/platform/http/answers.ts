import { type ErrorReason, statusOfReason } from '../errors/index.js';
import type { Envelope, Json } from './envelope.js';
import type { Page } from './pagination.js';
import type { Dto } from './rules.js';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

type CallbacksObject = NonNullable<NonNullable<Parameters<typeof ApiOperation>[0]>['callbacks']>;
type Schema = Record<string, unknown>;

class FaultDetailBody {
  @ApiProperty({ example: 'payment.recipient.account.branch' }) path: string;
  @ApiProperty({ example: 'InvalidFormat' }) code: string;
  @ApiProperty({ example: 'must be four digits' }) message: string;
  @ApiProperty({ type: 'object', additionalProperties: true, example: {} }) info: object;
}

const name = { type: 'string' };
const error = (properties: Schema, required: string[]): Schema => ({
  type: 'object',
  required: ['statusCode', 'error'],
  properties: {
    statusCode: { type: 'string', enum: ['Error'] },
    error: { type: 'object', required, properties },
  },
});

/** The error bodies of contract 7 and decisions 2, by their name among the document's schemas. */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  ValidationErrorBody: error(
    { name, message: name, details: { type: 'array', items: { $ref: getSchemaPath(FaultDetailBody) } } },
    ['name', 'message', 'details'],
  ),
  DomainErrorBody: error({ name, code: name, details: { type: 'object', additionalProperties: true } }, [
    'name',
    'code',
    'details',
  ]),
  GeneralErrorBody: error({ name, message: name }, ['name', 'message']),
  ForbiddenBody: {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string', enum: ['Forbidden'] } },
  },
};

const SHAPES = {
  validation: { $ref: getSchemaPath('ValidationErrorBody') },
  domain: { $ref: getSchemaPath('DomainErrorBody') },
  general: { $ref: getSchemaPath('GeneralErrorBody') },
  forbidden: { $ref: getSchemaPath('ForbiddenBody') },
};

const ERRORS: Record<number, { description: string; shapes: readonly Schema[] }> = {
  400: {
    description: 'InvalidInputError: malformed input, or a rule on the input itself',
    shapes: [SHAPES.validation, SHAPES.domain],
  },
  401: { description: 'AuthenticationError', shapes: [SHAPES.general] },
  403: {
    description: 'Forbidden, or AuthenticationError with reason CustomerAccountIsNotActive',
    shapes: [SHAPES.forbidden, SHAPES.domain],
  },
  404: { description: 'EntityNotFound, or RouteNotFound', shapes: [SHAPES.domain, SHAPES.general] },
  405: { description: 'MethodNotAllowed', shapes: [SHAPES.general] },
  409: { description: 'ConflictError', shapes: [SHAPES.domain] },
  410: { description: 'Gone', shapes: [SHAPES.general] },
  413: { description: 'PayloadTooLarge', shapes: [SHAPES.general] },
  415: { description: 'UnsupportedMediaType', shapes: [SHAPES.general] },
  422: { description: 'OperationError', shapes: [SHAPES.domain] },
  429: { description: 'TooManyRequests, with Retry-After', shapes: [SHAPES.general] },
  500: { description: 'InternalError', shapes: [SHAPES.general] },
  503: { description: 'ServiceUnavailable or OutcomeUnknown, with Retry-After', shapes: [SHAPES.general] },
};

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
            description:
              '1 to 255 visible ASCII characters. The same key with the same request gives the first answer again.',
          }),
        ]
      : []),
    ...[...statuses].sort().map((status) => ApiResponse({ status, ...errorAnswer(status, reasons.get(status)) })),
  );
}

/** An error answer as OpenAPI describes it. */
export function errorAnswer(
  status: number,
  reasons: readonly ErrorReason[] = [],
): { description: string; content: Record<string, { schema: Schema }> } {
  const { description, shapes: all } = ERRORS[status]!;
  const shapes = all.map((shape) => (shape === SHAPES.domain && reasons.length > 0 ? withReasons(reasons) : shape));
  const schema = shapes.length === 1 ? shapes[0]! : { anyOf: shapes };
  return { description, content: { 'application/json': { schema } } };
}

/** A domain error that gives one of these reasons. */
function withReasons(reasons: readonly ErrorReason[]): Schema {
  const reason = { type: 'string', enum: [...reasons].sort() };
  const details = { type: 'object', required: ['reason'], properties: { reason } };
  const named = { type: 'object', properties: { error: { type: 'object', properties: { details } } } };
  return { allOf: [SHAPES.domain, named] };
}

function successOf(answer: Dto, { list, bare, example }: AnyAnswer): Schema {
  const one = { $ref: getSchemaPath(answer) };
  if (bare) return one;
  const page = { items: { type: 'array', items: one }, nextCursor: { type: ['string', 'null'] } };
  const statusCode = { type: 'string', enum: [(example as Envelope<unknown>).statusCode] };
  return objectOf({ statusCode, data: list ? objectOf(page) : one });
}

const objectOf = (properties: Schema): Schema => ({ type: 'object', required: Object.keys(properties), properties });
