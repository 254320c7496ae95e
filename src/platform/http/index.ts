export { Answers } from './answers.js';
export * from './checks.js';
export { answerBatch, type SoundItem } from './batches/answer-batch.js';
export { BatchCounts, DoneItem, RefusedItem } from './batches/batch.answer.js';
export {
  type Batch,
  BATCH_MODES,
  BatchBody,
  type BatchMode,
  IsBatchMode,
  IsBatchOf,
  itemsIn,
  TakesBatch,
} from './batches/batch-body.js';
export { done, type Envelope, incomplete, type Json, type JsonText, jsonText } from './envelope.js';
export { Download } from './download.js';
export { DryRun, dryRunAnswer, mayBeDryRun } from './dry-run.js';
export { asKept } from './identifiers.js';
export { isKnown } from './entity-tag.js';
export { BODY_LIMIT, ByteBudget } from './byte-budget.js';
export { Idempotency, idempotencyKeyOf, type IdempotentRequest, markReplayed } from './idempotency.js';
export { inTurn } from './in-turn.js';
export { hasLoneSurrogate } from './json-body.js';
export { networkOf } from './network-of.js';
export {
  CURSOR_KEY,
  decodeCursor,
  DEFAULT_LIMIT,
  encodeCursor,
  malformed,
  type Page,
  rowsWithin,
  toPage,
} from './pagination.js';
export * from './parameters.js';
export { isTooSlow, Places, type UnderWay } from './places.js';
export { RequestId } from './request-context.js';
export { replyOf, requestOf } from './request-of.js';
export { IsListOf, IsNested, type LocatedFault, rule, stacked, told } from './rules.js';
export * from './shapes.js';
export { acceptStreams } from './streamed-body.js';
export { signedMessage } from './signed-message.js';
export { headersBelow, headersOf } from './security-headers.js';
export { examine, OptionalBody, readQuery, validate, ValidBody, ValidQuery } from './validation.js';
export { X_PERMISSIONS } from './permissions-needed.js';
