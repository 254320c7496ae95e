import { type Account, CustomerAccountIsNotActive } from '../../accounts/index.js';
import type { DataOf, NewEvent } from '../../event-store/index.js';
import { TransitionNotAllowed } from './errors.js';
import { assertEnds, assertNext, chunksOf, type PayoutFile, streamOfFile } from './payout-file.js';
import {
  PayoutFileAccepted,
  PayoutFileCancelled,
  PayoutFileCompleted,
  PayoutFileLinesRun,
} from './payout-file.events.js';

export type NewPayoutFile = Omit<DataOf<typeof PayoutFileAccepted>, 'partnerUid' | 'accountUid'>;

/** Lines that were run, each one registered, refused, or not begun before the file was cancelled. */
export interface RanLines {
  readonly chunk: number;
  readonly registered: readonly { readonly line: number; readonly transaction: string; readonly amount: bigint }[];
  readonly refused: readonly {
    readonly line: number;
    readonly orderId: string;
    readonly amount: bigint;
    readonly error: object;
  }[];
}

/** Whether there is money for it is decided line by line, when each is requested. */
export function acceptFile(account: Account, file: NewPayoutFile): readonly NewEvent[] {
  if (account.status !== 'Active') throw new CustomerAccountIsNotActive();
  const { partnerUid, uid: accountUid } = account;
  return [PayoutFileAccepted.create(streamOfFile(file.id), 1, { ...file, partnerUid, accountUid })];
}

export function cancelFile(file: PayoutFile): readonly NewEvent[] {
  if (file.state !== 'Running') throw new TransitionNotAllowed(file.state, 'Cancelled');
  return [PayoutFileCancelled.create(streamOfFile(file.id), file.version + 1, { id: file.id })];
}

/**
 * Records the outcome of the next lines, chunk by chunk. What was recorded already, by a process that had the lease
 * before, changes nothing. The last one ends the file.
 * @param endsCancelled nothing else of the file may be registered if it is cancelled: that was looked at after it was.
 *   Without this a cancelled file goes on, since lines behind these may have been registered before
 */
export function recordLines(file: PayoutFile, ran: readonly RanLines[], endsCancelled = false): readonly NewEvent[] {
  if (file.endedAt || ran[0]?.chunk !== file.run) return [];
  const events = ran.map((chunk, i) => recorded(file.id, file.version + 1 + i, chunk));
  const after = ran.reduce(advanced, file);
  if (after.run < chunksOf(file) && !(after.state === 'Cancelled' && endsCancelled)) return events;
  return [...events, ...ended(after, after.state === 'Running' ? 'Completed' : after.state)];
}

function recorded(id: string, version: number, { chunk, registered, refused }: RanLines): NewEvent {
  const errors = [...new Map(refused.map(({ error }) => [JSON.stringify(error), error])).entries()];
  const numbers = new Map(errors.map(([text], i) => [text, i]));
  return PayoutFileLinesRun.create(streamOfFile(id), version, {
    id,
    chunk,
    lines: registered.map(({ line }) => line),
    transactions: registered.map(({ transaction }) => transaction),
    amount: sum(registered).toString(),
    refused: refused.map((one) => ({
      line: one.line,
      orderId: one.orderId,
      amount: one.amount.toString(),
      error: numbers.get(JSON.stringify(one.error))!,
    })),
    refusedAmount: sum(refused).toString(),
    errors: errors.map(([, error]) => error),
  });
}

/** The file after a chunk was recorded. @throws where it is not its next one, or not all of it */
function advanced(file: PayoutFile, { chunk, registered, refused }: RanLines): PayoutFile {
  assertNext(file, chunk, registered.length + refused.length);
  return {
    ...file,
    run: chunk + 1,
    version: file.version + 1,
    registered: file.registered + registered.length,
    registeredAmount: file.registeredAmount + sum(registered),
    refused: file.refused + refused.length,
    refusedAmount: file.refusedAmount + sum(refused),
  };
}

/** Ends a cancelled file of which nothing is under way. */
export function endCancelled(file: PayoutFile): readonly NewEvent[] {
  return file.endedAt || file.state !== 'Cancelled' ? [] : ended(file, 'Cancelled');
}

function ended(file: PayoutFile, state: 'Completed' | 'Cancelled'): readonly NewEvent[] {
  assertEnds(file, state);
  const { id, partnerUid, accountUid, lines, registered, refused, version } = file;
  return [
    PayoutFileCompleted.create(streamOfFile(id), version + 1, {
      ...{ id, partnerUid, accountUid, state, lines },
      registered,
      registeredAmount: file.registeredAmount.toString(),
      refused,
      refusedAmount: file.refusedAmount.toString(),
    }),
  ];
}

const sum = (lines: readonly { readonly amount: bigint }[]) => lines.reduce((total, { amount }) => total + amount, 0n);
