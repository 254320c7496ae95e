import { ApiProperty } from '@nestjs/swagger';
import { DryRunView } from '../../../accounts/index.js';
import { AMOUNT, HASH, MOMENT, UUID, WHOLE } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { FILE_FORMATS, type FileFormat } from '../../domain/payout-file.events.js';
import { PAYOUT_FILE_STATES, type PayoutFile } from '../../domain/payout-file.js';
import type { Endings } from '../../payout-file-rows.js';

export class LineCounts {
  /** Not requested yet */
  @ApiProperty(WHOLE) readonly waiting: number;
  /** The rail has not answered yet */
  @ApiProperty(WHOLE) readonly registered: number;
  @ApiProperty(WHOLE) readonly completed: number;
  /** Refused when requested, or not carried out by the rail */
  @ApiProperty(WHOLE) readonly error: number;
  @ApiProperty(WHOLE) readonly reversed: number;
  /** Not requested before the file was cancelled */
  @ApiProperty(WHOLE) readonly cancelled: number;
}

export class LineAmounts {
  @ApiProperty(AMOUNT) readonly waiting: string;
  @ApiProperty(AMOUNT) readonly registered: string;
  @ApiProperty(AMOUNT) readonly completed: string;
  @ApiProperty(AMOUNT) readonly error: string;
  @ApiProperty(AMOUNT) readonly reversed: string;
  @ApiProperty(AMOUNT) readonly cancelled: string;
}

/** A file of payouts, and how far it is. */
export class PayoutFileView {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(UUID) readonly accountUid: string;
  /** `Completed`: every line was requested. The payouts themselves may still be under way */
  @ApiProperty({ enum: PAYOUT_FILE_STATES, enumName: 'PayoutFileState' }) readonly state: PayoutFile['state'];
  @ApiProperty({ enum: FILE_FORMATS, enumName: 'PayoutFileFormat' }) readonly format: FileFormat;
  /** SHA-256 of the file */
  @ApiProperty(HASH) readonly digest: string;
  /** Lines to pay */
  @ApiProperty(WHOLE) readonly lines: number;
  /** Of all lines */
  @ApiProperty(AMOUNT) readonly amount: string;
  readonly counts: LineCounts;
  readonly amounts: LineAmounts;
  @ApiProperty(MOMENT) readonly acceptedAt: string;
  /** When nothing more was requested */
  @ApiProperty({ ...MOMENT, nullable: true }) readonly endedAt: string | null;
}

/**
 * What accepting a file would do: nothing moves then, its lines are paid one by one. `charges` are those of all lines.
 */
export class PayoutFileDryRunView extends DryRunView {
  /** Lines to pay */
  @ApiProperty(WHOLE) readonly lines: number;
  /** Of all lines */
  @ApiProperty(AMOUNT) readonly amount: string;
}

interface Part {
  readonly count: number;
  readonly amount: bigint;
}

const NONE: Part = { count: 0, amount: 0n };

export function showFile(file: PayoutFile, endings: Endings = new Map()): PayoutFileView {
  const parts = Object.entries(partsOf(file, endings));
  return {
    id: file.id,
    accountUid: file.accountUid,
    state: file.state,
    format: file.format,
    digest: file.digest,
    lines: file.lines,
    amount: formatAmount(file.amount),
    counts: Object.fromEntries(parts.map(([name, { count }]) => [name, count])) as unknown as LineCounts,
    amounts: Object.fromEntries(
      parts.map(([name, { amount }]) => [name, formatAmount(amount)]),
    ) as unknown as LineAmounts,
    acceptedAt: file.acceptedAt.toISOString(),
    endedAt: file.endedAt?.toISOString() ?? null,
  };
}

/** Endings follow the log: they may be ahead of the lines that were recorded, which are run some at a time. */
function partsOf(file: PayoutFile, endings: Endings): Record<keyof LineCounts, Part> {
  const refused = { count: file.refused, amount: file.refusedAmount };
  const recorded = { count: file.registered, amount: file.registeredAmount };
  const [completed, failed, reversed] = ['Completed', 'Error', 'Reversed'].map((state) => endings.get(state) ?? NONE);
  const ended = plus(plus(completed!, failed!), reversed!);
  const registered = larger(recorded, ended);
  const rest = minus({ count: file.lines, amount: file.amount }, plus(registered, refused));
  const isCancelled = file.state === 'Cancelled';
  return {
    waiting: isCancelled ? NONE : rest,
    registered: minus(registered, ended),
    completed: completed!,
    error: plus(failed!, refused),
    reversed: reversed!,
    cancelled: isCancelled ? rest : NONE,
  };
}

const plus = (one: Part, other: Part): Part => ({
  count: one.count + other.count,
  amount: one.amount + other.amount,
});

/** By count and by amount: some of what has ended may not be recorded, some of what is recorded not have ended. */
const larger = (one: Part, other: Part): Part => ({
  count: Math.max(one.count, other.count),
  amount: one.amount > other.amount ? one.amount : other.amount,
});

const minus = (one: Part, other: Part): Part => ({
  count: one.count - other.count,
  amount: one.amount - other.amount,
});

export const PAYOUT_FILE_EXAMPLE: PayoutFileView = {
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  accountUid: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f',
  state: 'Running',
  format: 'csv',
  digest: 'XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=',
  lines: 3,
  amount: '31.50',
  counts: { waiting: 3, registered: 0, completed: 0, error: 0, reversed: 0, cancelled: 0 },
  amounts: {
    waiting: '31.50',
    registered: '0.00',
    completed: '0.00',
    error: '0.00',
    reversed: '0.00',
    cancelled: '0.00',
  },
  acceptedAt: '2026-11-20T14:04:05.123Z',
  endedAt: null,
};
