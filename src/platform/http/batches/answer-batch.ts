import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AppError, NotApplied, OutcomeUnknown, ValidationError } from '../../errors/index.js';
import { done, type Envelope } from '../envelope.js';
import { type IdempotentRequest, markReplayed } from '../idempotency.js';
import type { BatchCounts, RefusedItem } from './batch.answer.js';
import type { Batch } from './batch-body.js';

/** An item that is well-formed. */
export interface SoundItem<T> {
  readonly idempotency: IdempotentRequest;
  readonly read: T;
}

export type ItemDone<E> = { readonly idempotencyKey: string; readonly status: 201; readonly replayed: boolean } & E;

/** Shows what each item of a dry run would do. */
export interface ItemPreviews {
  of(key: string): object;
}

export interface BatchResult<E> {
  readonly dryRun?: true;
  readonly items: readonly (ItemDone<E> | RefusedItem)[];
  readonly counts: BatchCounts;
}

/** 422: an atomic batch of which nothing was applied. It tells the result of each item beside the error. */
export class BatchNotApplied extends NotApplied {
  constructor(private readonly result: BatchResult<unknown>) {
    super('An item was refused, so nothing was done.');
  }

  override body() {
    return { ...super.body(), data: this.result };
  }
}

/**
 * The answer to a batch: a result for each item, in their order. A fault of the service that concerns all of them is
 * that of the whole.
 * @param run does the sound items, all of them or none where the batch is atomic; an error for each that was refused.
 *   An atomic batch that has others too is stopped: its run is a dry run
 * @param show the single route's answer
 */
export async function answerBatch<T, R extends { readonly replayed: boolean }, E extends Envelope<unknown>>(
  { mode, items }: Batch<T>,
  key: IdempotentRequest | undefined,
  reply: FastifyReply,
  run: (sound: readonly SoundItem<T>[], isStopped: boolean) => Promise<readonly (R | AppError)[]>,
  show: (result: R) => E,
  previews?: ItemPreviews,
): Promise<Envelope<BatchResult<E>>> {
  assertOtherKeys(items, key);
  const sound = items.filter((item): item is SoundItem<T> => !(item.read instanceof AppError));
  const isStopped = mode === 'atomic' && sound.length < items.length;
  const ran = sound.length > 0 ? await run(sound, isStopped) : [];
  const results = isStopped ? ran.map(onlyReplayed) : ran;
  if (results.length > 0 && results.every(isFault)) throw faultOfAll(results);
  for (const result of results) if (isFault(result)) report(result, reply.request.id);

  let next = 0;
  const shown = items.map(({ idempotency, read }) => {
    const result = read instanceof AppError ? read : results[next++]!;
    if (result instanceof AppError) return refused(idempotency.key, result);
    const { key } = idempotency;
    const { replayed } = result;
    // As for single routes, the type is that of the run.
    if (previews) return { idempotencyKey: key, status: 200, replayed, ...done(previews.of(key)) } as never;
    return { idempotencyKey: key, status: 201 as const, replayed, ...show(result) };
  });
  const succeeded = shown.filter((item): item is ItemDone<E> => !('error' in item));
  const counts = { done: succeeded.length, error: items.length - succeeded.length };
  const result = { ...(previews && { dryRun: true as const }), items: shown, counts };
  if (mode === 'atomic' && counts.error > 0) throw new BatchNotApplied(result);
  markReplayed(reply, !previews && counts.error === 0 && succeeded.every(({ replayed }) => replayed));
  return done(result);
}

/** Of a batch that is not applied: what had been done under an item's key keeps its answer. */
function onlyReplayed<R extends { readonly replayed: boolean }>(result: R | AppError): R | AppError {
  return !(result instanceof AppError) && result.replayed ? result : new NotApplied();
}

function refused(idempotencyKey: string, error: AppError): RefusedItem {
  const { error: told } = error.body() as { error: Record<string, unknown> };
  return { idempotencyKey, status: error.status, statusCode: 'Error', error: told };
}

/** @throws ValidationError: the key of the whole would be used for one item too */
function assertOtherKeys(items: Batch<unknown>['items'], key: IdempotentRequest | undefined): void {
  const at = key ? items.findIndex(({ idempotency }) => idempotency.key === key.key) : -1;
  if (at < 0) return;
  const message = 'must not be the Idempotency-Key of the whole request';
  throw new ValidationError([{ path: `items.${at}.idempotencyKey`, code: 'Duplicate', message, info: {} }]);
}

/** The service's, not the item's. */
const isFault = (result: unknown): result is AppError => result instanceof AppError && result.status >= 500;

/** The first one's, which may say that nothing was done: not where another one may have been. */
function faultOfAll(faults: readonly AppError[]): AppError {
  return faults.find((fault) => fault instanceof OutcomeUnknown) ?? faults[0]!;
}

function report(fault: AppError, requestId: string): void {
  const logger = new Logger('HTTP');
  const err = fault.cause ?? fault;
  if (fault.logLevel === 'error') logger.error({ err, requestId }, fault.message);
  else if (fault.logLevel === 'warn') logger.warn({ err, requestId }, fault.message);
}
