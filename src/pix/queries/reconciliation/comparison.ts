import type { RailMovement } from '../../rails/pix-rail.js';
import type { Mismatch, Total } from './reconciliation.query.js';

type Kind = RailMovement['kind'];
type LedgerMovement = Pick<RailMovement, 'kind' | 'id' | 'amount'> & { readonly transactionId: string | null };

const MAX_LISTED = 1_000;

/** Sums both sides of a day, one interval after the other, and collects the differences. */
export class Comparison {
  readonly rail = totals();
  readonly ledger = totals();
  readonly #mismatches = new Map<string, Mismatch>();
  mismatched = 0;

  get mismatches(): Mismatch[] {
    return [...this.#mismatches.values()];
  }

  /** Both sides of one interval, whole. A rail may list a movement twice. */
  add(rail: readonly RailMovement[], ledger: readonly LedgerMovement[]): void {
    const known = summed(ledger);
    for (const movement of new Map(rail.map((one) => [keyOf(one), one])).values()) {
      count(this.rail, movement);
      const ours = known.get(keyOf(movement));
      known.delete(keyOf(movement));
      if (ours?.amount !== movement.amount) this.#mismatch(movement, movement.amount, ours);
    }
    for (const movement of ledger) count(this.ledger, movement);
    for (const movement of known.values()) this.#mismatch(movement, null, movement);
  }

  #mismatch({ kind, id }: Pick<RailMovement, 'kind' | 'id'>, rail: bigint | null, ours: LedgerMovement | undefined) {
    const { transactionId = null, amount: ledger = null } = ours ?? {};
    const key = keyOf({ kind, id });
    const before = this.#mismatches.get(key);
    if (before) return this.#complete(key, before, { kind, id, transactionId, rail, ledger });
    this.mismatched += 1;
    if (this.#mismatches.size < MAX_LISTED) this.#mismatches.set(key, { kind, id, transactionId, rail, ledger });
  }

  /** A movement that the two sides have in different intervals. */
  #complete(key: string, before: Mismatch, now: Mismatch): void {
    const [rail, ledger] = [before.rail ?? now.rail, before.ledger ?? now.ledger];
    if (rail === ledger) {
      this.#mismatches.delete(key);
      this.mismatched -= 1;
    } else {
      this.#mismatches.set(key, { ...now, rail, ledger, transactionId: before.transactionId ?? now.transactionId });
    }
  }
}

/** One that the ledger has twice is of more money than the rail moved. */
function summed(movements: readonly LedgerMovement[]): Map<string, LedgerMovement> {
  const sums = new Map<string, LedgerMovement>();
  for (const movement of movements) {
    const before = sums.get(keyOf(movement))?.amount ?? 0n;
    sums.set(keyOf(movement), { ...movement, amount: before + movement.amount });
  }
  return sums;
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
