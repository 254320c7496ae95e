export { Answers, type AnswersOptions } from './answers.js';
export * from './checks.js';
export { done, type Envelope, incomplete } from './envelope.js';
export * from './fields.js';
export { Idempotency, type IdempotentRequest, markReplayed } from './idempotency.js';
export { decodeCursor, encodeCursor, type Page, parseLimit, parseMoment, toPage } from './pagination.js';
export { Paged, PERIOD } from './paged.js';
export { RequestId } from './request-context.js';
export { type CrossCheck, type LocatedFault, validate, ValidBody } from './validation.js';
