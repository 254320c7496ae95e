import type { RailMovement } from '../../rails/pix-rail.js';
import type { Mismatch, Total } from './reconcile-day.query.js';

type Kind = RailMovement['kind'];
type LedgerMovement = Pick<RailMovement, 'kind' | 'id' | 'amount'> & { readonly transactionId: string | null };

const MAX_LISTED = 1_000;

/** Sums both sides of a day, one interval after the other, and collects the differences. */
export class Comparison {
  readonly rail = totals();
  readonly ledger = totals();
  readonly mismatches: Mismatch[] = [];
  mismatched = 0;

  /** Both sides of one interval, whole. */
  add(rail: readonly RailMovement[], ledger: readonly LedgerMovement[]): void {
    const known = new Map(ledger.map((movement) => [keyOf(movement), movement]));
    for (const movement of rail) {
      count(this.rail, movement);
      const ours = known.get(keyOf(movement));
      known.delete(keyOf(movement));
      if (ours?.amount !== movement.amount) this.#mismatch(movement, movement.amount, ours);
    }
    for (const movement of ledger) count(this.ledger, movement);
    for (const movement of known.values()) this.#mismatch(movement, null, movement);
  }

  #mismatch({ kind, id }: Pick<RailMovement, 'kind' | 'id'>, rail: bigint | null, ours: LedgerMovement | undefined) {
    this.mismatched += 1;
    if (this.mismatches.length >= MAX_LISTED) return;
    const { transactionId = null, amount: ledger = null } = ours ?? {};
    this.mismatches.push({ kind, id, transactionId, rail, ledger });
  }
}

function keyOf({ kind, id }: Pick<RailMovement, 'kind' | 'id'>): string {
  return `${kind}/${id}`;
}

function totals(): Record<Kind, Total> {
  const none = { count: 0, amount: 0n };
  return { PaymentIn: none, PaymentOut: none, RefundIn: none, RefundOut: none };
}

function count(side: Record<Kind, Total>, { kind, amount }: Pick<RailMovement, 'kind' | 'amount'>): void {
  const before = side[kind];
  side[kind] = { count: before.count + 1, amount: before.amount + amount };
}
