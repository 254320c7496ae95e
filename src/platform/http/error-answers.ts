import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { ErrorReason } from '../errors/index.js';

type Schema = Record<string, unknown>;

export class FaultDetailBody {
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

/**
 * An error answer as OpenAPI describes it.
 * @param beside a schema that it keeps too
 */
export function errorAnswer(
  status: number,
  reasons: readonly ErrorReason[] = [],
  beside?: Schema,
): { description: string; content: Record<string, { schema: Schema }> } {
  const { description, shapes: all } = ERRORS[status]!;
  const shapes = all.map((shape) => (shape === SHAPES.domain && reasons.length > 0 ? withReasons(reasons) : shape));
  const general = shapes.length === 1 ? shapes[0]! : { anyOf: shapes };
  const schema = beside ? { allOf: [general, beside] } : general;
  return { description, content: { 'application/json': { schema } } };
}

/** A domain error with one of these reasons. */
function withReasons(reasons: readonly ErrorReason[]): Schema {
  const reason = { type: 'string', enum: [...reasons].sort() };
  const details = { type: 'object', required: ['reason'], properties: { reason } };
  const named = { type: 'object', properties: { error: { type: 'object', properties: { details } } } };
  return { allOf: [SHAPES.domain, named] };
}
