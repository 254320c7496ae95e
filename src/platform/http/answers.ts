import { type ErrorReason, statusOfReason } from '../errors/index.js';
import { errorAnswer, FaultDetailBody } from './error-answers.js';
import type { Envelope, Json, JsonText } from './envelope.js';
import { noDryRun } from './dry-run.js';
import { KEY } from './idempotency.js';
import type { Page } from './pagination.js';
import type { Dto } from './rules.js';
import { applyDecorators, HttpCode, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiQuery, ApiResponse, getSchemaPath } from '@nestjs/swagger';

type CallbacksObject = NonNullable<NonNullable<Parameters<typeof ApiOperation>[0]>['callbacks']>;
type Schema = Record<string, unknown>;

const REUSE: readonly ErrorReason[] = ['IdempotencyKeyReuse'];

interface Route {
  readonly summary: string;
  readonly description?: string;
  /** 200 if absent. */
  readonly status?: number;
  /** 304 to a caller that has it already (`isKnown`). */
  readonly unchanged?: true;
  /** Errors besides 400, 429, 500 and 503 (every route) and 413 and 415 (all but GET). */
  readonly errors?: readonly number[];
  /** The reasons of the route's own refusals; their statuses need not be in `errors`. */
  readonly reasons?: readonly ErrorReason[];
  /** What errors of a status have beside their general shape. */
  readonly beside?: Readonly<Record<number, Schema>>;
  /** No token is needed. */
  readonly public?: true;
  /** The callback that is sent to a URL of the request, and its classes. */
  readonly callbacks?: CallbacksObject;
  readonly models?: readonly Dto[];
  /** `statusCode` is `Incomplete` where a later change follows, `Done` where none does. */
  readonly mayBeIncomplete?: true;
  /** The route takes `Idempotency-Key`. */
  readonly idempotent?: true;
  /** The route takes `dryRun`: the class of what it answers then. */
  readonly dryRun?: Dto;
}

/** A success: the class of `data`, and an example of the body. */
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

/** A success whose body is the class without an envelope, as an external standard requires. */
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
  /** An example of each other media type that a caller may choose. */
  readonly otherTypes?: Readonly<Record<string, string>>;
}

type AnyAnswer = Route & {
  readonly [option in 'answer' | 'list' | 'bare' | 'contentType' | 'example' | 'otherTypes']?: unknown;
};

/** Decorates only handlers that return this type. */
type HandlerOf<B> = <Handler extends (...parameters: never[]) => B | Promise<B>>(
  controller: object,
  name: string | symbol,
  handler: TypedPropertyDescriptor<Handler>,
) => void;

/** Documents a route: summary, answer with an example, and errors. The compiler checks the handler against it. */
export function Answers<A extends object>(
  options: ListAnswer<A>,
): HandlerOf<Envelope<Page<A>> | JsonText<Envelope<Page<A>>>>;
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
  const {
    answer,
    contentType = 'application/json',
    example,
    otherTypes = {},
  } = options as Partial<BareAnswer<object> & OtherAnswer>;
  const schema = answer ? successOf(answer, options) : { type: 'string' };
  const { status = 200 } = options;
  const examples = Object.entries({ [contentType]: example, ...otherTypes });
  const content = Object.fromEntries(examples.map(([type, example]) => [type, { schema, example }]));
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(FaultDetailBody, ...[options.models ?? [], answer ?? [], options.dryRun ?? []].flat()),
    ApiOperation({ summary: options.summary, description: options.description ?? '', callbacks: options.callbacks }),
    ApiResponse({ status, description: 'Success', content }),
    ...(options.dryRun ? dryRunOf(options.dryRun, status, schema, example) : [UseGuards(noDryRun)]),
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
    ...[...statuses]
      .sort((one, other) => one - other)
      .map((status) => ApiResponse({ status, ...errorAnswer(status, reasons.get(status), options.beside?.[status]) })),
  );
}

const DRY_RUN = {
  name: 'dryRun',
  required: false,
  schema: { type: 'boolean', default: false },
  description:
    'Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. ' +
    "A partner's key needs the permission accounts:read too.",
} as const;

/** @param schema of the run's own answer with this status */
function dryRunOf(dryRun: Dto, status: number, schema: Schema, example: unknown): MethodDecorator[] {
  const statusCode = { type: 'string', enum: ['Done'] };
  const shown = objectOf({ statusCode, data: { $ref: getSchemaPath(dryRun) } });
  const both = status === 200 ? { anyOf: [schema, shown] } : shown;
  const content = { 'application/json': { schema: both, ...(status === 200 && { example }) } };
  const description = status === 200 ? 'Success, or what the request would do' : 'What the request would do (`dryRun`)';
  return [ApiQuery(DRY_RUN), ApiResponse({ status: 200, description, content })];
}

function successOf(answer: Dto, { list, bare, example, mayBeIncomplete }: AnyAnswer): Schema {
  const one = { $ref: getSchemaPath(answer) };
  if (bare) return one;
  const page = { items: { type: 'array', items: one }, nextCursor: { type: ['string', 'null'] } };
  const statusCode = {
    type: 'string',
    enum: mayBeIncomplete ? ['Done', 'Incomplete'] : [(example as Envelope<unknown>).statusCode],
  };
  return objectOf({ statusCode, data: list ? objectOf(page) : one });
}

const objectOf = (properties: Schema): Schema => ({ type: 'object', required: Object.keys(properties), properties });
