import { listsTransactions } from '../../accounts/index.js';
import type { EventOf, RecordedEvent } from '../../event-store/index.js';
import { CashOutRegistered } from '../../pix/index.js';
import {
  type FileFormat,
  PayoutFileAccepted,
  PayoutFileCancelled,
  PayoutFileCompleted,
  PayoutFileLinesRun,
} from './payout-file.events.js';

export const PAYOUT_FILE_STATES = ['Running', 'Cancelled', 'Completed'] as const;

/** Lines that are stored, requested and recorded together. */
export const CHUNK_LINES = 200;

/** Chunks that are stored in one statement, and those that are requested at once and recorded in one commit. */
export const CHUNKS_AT_ONCE = 3;

/**
 * Most chunks behind the last recorded one of which lines may be registered: those that are being written or recorded,
 * and those that wait behind them. Both stay unrecorded where recording is refused, under load, or its process dies.
 * So many of a cancelled file are looked at before it ends. Never fewer than before: a process of an earlier version
 * may have left as many.
 */
export const CHUNKS_UNRECORDED = 2 * CHUNKS_AT_ONCE;

/** A file of payouts. Amounts are centavos. */
export interface PayoutFile {
  readonly id: string;
  readonly partnerUid: string;
  readonly accountUid: string;
  readonly accessKey: string;
  readonly format: FileFormat;
  readonly digest: string;
  readonly lines: number;
  readonly amount: bigint;
  readonly state: (typeof PAYOUT_FILE_STATES)[number];
  /** Chunks that were run; the next one has this number. */
  readonly run: number;
  readonly registered: number;
  readonly registeredAmount: bigint;
  readonly refused: number;
  readonly refusedAmount: bigint;
  readonly acceptedAt: Date;
  /** Nothing more of it is requested. */
  readonly endedAt: Date | null;
  /** Of its first event. */
  readonly position: bigint;
  /** Version of its stream. */
  readonly version: number;
}

export function streamOfFile(id: string): string {
  return `payout-file-${id}`;
}

export function chunksOf({ lines }: Pick<PayoutFile, 'lines'>): number {
  return Math.ceil(lines / CHUNK_LINES);
}

listsTransactions(CashOutRegistered, 'begun', ({ id, payoutFile }) =>
  payoutFile ? { owner: payoutFile, transactions: [id] } : undefined,
);
listsTransactions(PayoutFileLinesRun, 'given', ({ id, transactions }) => ({ owner: id, transactions }));

/** The payout of a line changes nothing of its file: it is looked whether the file runs. */
export function filesOf(event: RecordedEvent): readonly string[] {
  if (CashOutRegistered.is(event)) return event.data.payoutFile ? [event.data.payoutFile] : [];
  return PayoutFileAccepted.is(event) ||
    PayoutFileLinesRun.is(event) ||
    PayoutFileCancelled.is(event) ||
    PayoutFileCompleted.is(event)
    ? [event.data.id]
    : [];
}

/** @throws where the event contradicts those before: whoever changed a row of a file made the log say so */
export function evolveFile(file: PayoutFile | undefined, event: RecordedEvent): PayoutFile {
  if (PayoutFileAccepted.is(event)) return accepted(event);
  if (!file) throw new TypeError(`${event.type} is about a file that was never accepted`);
  const { version } = event;
  if (PayoutFileLinesRun.is(event)) {
    const { chunk, lines, refused } = event.data;
    assertNext(file, chunk, lines.length + refused.length);
    return { ...advanced(file, event), version };
  }
  if (PayoutFileCompleted.is(event)) {
    assertEnds(file, event.data.state);
    return { ...file, state: event.data.state, endedAt: event.time, version };
  }
  if (PayoutFileCancelled.is(event) || CashOutRegistered.is(event)) {
    if (file.state !== 'Running') throw new TypeError(`${event.type} is about the file ${file.id}, which does not run`);
    return CashOutRegistered.is(event) ? file : { ...file, state: 'Cancelled', version };
  }
  throw new TypeError(`${event.type} does not change a file`);
}

/**
 * No chunk is left out, and as long as the file runs no line of one.
 * @param outcomes lines of the chunk that were registered or refused
 */
export function assertNext(file: PayoutFile, chunk: number, outcomes: number): void {
  const all = Math.min(CHUNK_LINES, file.lines - chunk * CHUNK_LINES);
  const isNext = !file.endedAt && chunk === file.run && (file.state === 'Running' ? outcomes === all : outcomes <= all);
  if (!isNext) throw new TypeError(`${outcomes} lines of chunk ${chunk} are not what is next of the file ${file.id}`);
}

/** A file ends as cancelled if it was cancelled, and only then before its last chunk. */
export function assertEnds(file: PayoutFile, state: 'Completed' | 'Cancelled'): void {
  const isDone = state === 'Completed' ? file.state === 'Running' && file.run === chunksOf(file) : file.state === state;
  if (file.endedAt || !isDone) throw new TypeError(`the file ${file.id} cannot end as ${state} now`);
}

function accepted({ data, time, position, version }: EventOf<typeof PayoutFileAccepted>): PayoutFile {
  const { id, partnerUid, accountUid, accessKey, format, digest, lines, amount } = data;
  return {
    ...{ id, partnerUid, accountUid, accessKey, format, digest, lines },
    amount: BigInt(amount),
    state: 'Running',
    run: 0,
    registered: 0,
    registeredAmount: 0n,
    refused: 0,
    refusedAmount: 0n,
    acceptedAt: time,
    endedAt: null,
    position,
    version,
  };
}

function advanced(file: PayoutFile, { data }: EventOf<typeof PayoutFileLinesRun>): PayoutFile {
  return {
    ...file,
    run: data.chunk + 1,
    registered: file.registered + data.lines.length,
    registeredAmount: file.registeredAmount + BigInt(data.amount),
    refused: file.refused + data.refused.length,
    refusedAmount: file.refusedAmount + BigInt(data.refusedAmount),
  };
}
