import type { Contradiction, RecordedEvent } from '../../event-store/index.js';
import { systemAccountUid } from './account.js';
import type { Bucket, MovesMoney, Posting } from './posting.js';

/** What should be posted: signed centavos on a bucket of an account, or of a system account of the event's partner. */
export type ExpectedMovement = readonly [account: string, bucket: Bucket, amount: bigint];

/** An event must say what those before it say. */
export function differs(
  field: string,
  expected: string | null | undefined,
  found: string | null | undefined,
): Contradiction | undefined {
  return expected === found ? undefined : { field, expected: String(expected), found: String(found) };
}

/** An event must move just this, whatever the order of its postings, and however they are split. */
export function movesOtherwise(
  event: RecordedEvent<string, MovesMoney>,
  expected: readonly ExpectedMovement[],
): Contradiction | undefined {
  const found = event.data.postings.map((posting) => {
    return [nameOf(event, posting), posting.bucket, BigInt(posting.amount)] as const;
  });
  return differs('postings', textOf(expected), textOf(found));
}

/** A system account goes by its name only where it is the partner's own. */
function nameOf({ data, partition }: RecordedEvent<string, MovesMoney>, { account, system }: Posting): string {
  return system && account === systemAccountUid(data.partnerUid, partition, system) ? system : account;
}

function textOf(movements: readonly ExpectedMovement[]): string {
  const sums = new Map<string, bigint>();
  for (const [account, bucket, amount] of movements) {
    const key = `${account} ${bucket}`;
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  const moved = [...sums].filter(([, amount]) => amount !== 0n).map(([key, amount]) => `${key} ${amount}`);
  return moved.sort().join(', ') || 'none';
}
