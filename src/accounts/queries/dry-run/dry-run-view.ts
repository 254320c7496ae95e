import { ApiProperty } from '@nestjs/swagger';
import { type LoadedRows, type NewEvent, type Outcome, Preview } from '../../../event-store/index.js';
import { AMOUNT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { accountProjection } from '../../account.projection.js';
import type { DefaultLimits } from '../../domain/limit-terms.js';
import { withDefaults } from '../../domain/payout-limits.js';
import type { Bucket, MovesMoney } from '../../domain/posting.js';
import { BalanceView } from '../accounts/account-view.js';
import { PayoutLimitsView, showPayoutLimits } from '../payout-limits/payout-limits-view.js';

/** A movement that the run would make on an account of the partner. */
export class PreviewedPosting {
  /** UID */
  @ApiProperty(UUID) readonly account: string;
  @ApiProperty({ enum: ['available', 'held', 'blocked'] }) readonly bucket: Bucket;
  /** Signed */
  @ApiProperty(AMOUNT) readonly amount: string;
  @ApiProperty(AMOUNT) readonly balanceAfter: string;
}

/** What a request would do, on the state of the moment. Nothing of it was done or kept. */
export class DryRunView {
  @ApiProperty({ enum: [true] }) readonly dryRun: true;

  /** The idempotency key was used for this request: the run would do nothing, and give the first answer again */
  readonly replayed: boolean;

  /** Those that it causes too, such as what a hold takes of a credit; in the order in which they would be made */
  @ApiProperty({ type: [PreviewedPosting] }) readonly postings: readonly PreviewedPosting[];

  /** Of the operator; a deposit's are taken when it is paid */
  @ApiProperty(AMOUNT) readonly charges: string;

  /** Of the account of the request, after it */
  readonly balance: BalanceView;

  /** Of the account's payouts, with what would be left; null where none was ever set */
  @ApiProperty({ type: PayoutLimitsView, nullable: true }) readonly limits: PayoutLimitsView | null;
}

/** A preview of commands on an account. */
export type DryRunPreview = Preview<DryRunView>;

/** @param defaults limits of its partner, which its next payout takes up */
export function previewOn(accountUid: string, partnerUid: string, defaults?: DefaultLimits): DryRunPreview {
  return new Preview(partnerUid, { [accountProjection.name]: [accountUid] }, (rows, outcome, at) =>
    show(accountUid, defaults, rows, outcome, at),
  );
}

function show(
  uid: string,
  defaults: DefaultLimits | undefined,
  rows: LoadedRows,
  { events, replayed }: Outcome,
  at: Date,
): DryRunView {
  const { available, held, blocked, payoutLimits } = rows.of(accountProjection).get(uid)!;
  const limits = withDefaults(payoutLimits, defaults);
  const charges = events.reduce((sum, { data }) => sum + BigInt((data as { charges?: string }).charges ?? 0), 0n);
  return {
    dryRun: true,
    replayed,
    postings: events.flatMap(postingsOf),
    charges: formatAmount(charges),
    balance: {
      available: formatAmount(available),
      held: formatAmount(held),
      blocked: formatAmount(blocked),
    },
    limits: limits && showPayoutLimits(limits, at),
  };
}

/** System accounts are the operator's. */
function postingsOf({ data }: Pick<NewEvent, 'data'>): PreviewedPosting[] {
  const { postings = [] } = data as Partial<MovesMoney>;
  return postings
    .filter(({ system }) => !system)
    .map(({ account, bucket, amount, balance }) => ({
      account,
      bucket,
      amount: formatAmount(BigInt(amount)),
      balanceAfter: formatAmount(BigInt(balance)),
    }));
}
