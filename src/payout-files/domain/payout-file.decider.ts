import { type Account, CustomerAccountIsNotActive } from '../../accounts/index.js';
import type { DataOf, NewEvent } from '../../event-store/index.js';
import { TransitionNotAllowed } from './errors.js';
import { chunksOf, type PayoutFile, streamOfFile } from './payout-file.js';
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
 * Records the outcome of the next lines. A chunk that was recorded already, by a process that had the lease before,
 * changes nothing. The last one ends the file; so does whatever was under way when it was cancelled.
 */
export function recordLines(file: PayoutFile, ran: RanLines): readonly NewEvent[] {
  if (file.endedAt || ran.chunk !== file.run) return [];
  const { id, version } = file;
  const { registered, refused } = ran;
  const isLast = ran.chunk + 1 === chunksOf(file);
  const errors = [...new Map(refused.map(({ error }) => [JSON.stringify(error), error])).entries()];
  const numbers = new Map(errors.map(([text], i) => [text, i]));
  const amount = sum(registered);
  const refusedAmount = sum(refused);
  const event = PayoutFileLinesRun.create(streamOfFile(id), version + 1, {
    id,
    chunk: ran.chunk,
    lines: registered.map(({ line }) => line),
    transactions: registered.map(({ transaction }) => transaction),
    amount: amount.toString(),
    refused: refused.map((one) => ({
      line: one.line,
      orderId: one.orderId,
      amount: one.amount.toString(),
      error: numbers.get(JSON.stringify(one.error))!,
    })),
    refusedAmount: refusedAmount.toString(),
    errors: errors.map(([, error]) => error),
  });
  if (file.state === 'Running' && !isLast) return [event];
  return [
    event,
    ...ended(
      {
        ...file,
        version: version + 1,
        registered: file.registered + registered.length,
        registeredAmount: file.registeredAmount + amount,
        refused: file.refused + refused.length,
        refusedAmount: file.refusedAmount + refusedAmount,
      },
      file.state === 'Running' ? 'Completed' : file.state,
    ),
  ];
}

/** Ends a cancelled file of which nothing is under way. */
export function endCancelled(file: PayoutFile): readonly NewEvent[] {
  return file.endedAt || file.state !== 'Cancelled' ? [] : ended(file, 'Cancelled');
}

function ended(file: PayoutFile, state: 'Completed' | 'Cancelled'): readonly NewEvent[] {
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
