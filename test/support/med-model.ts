export const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

export interface ModelDeposit {
  readonly id: string;
  readonly endToEndId: string;
  readonly amount: bigint;
  readonly completedAt: number;
  /** Given back, under way included. */
  refunded: bigint;
}

export interface ModelHold {
  readonly amount: bigint;
  readonly until: number;
  filled: bigint;
  blocked: bigint;
  closed: boolean;
}

export interface ModelCase {
  readonly id: string;
  readonly holdId: string | null;
  readonly railId: string;
  readonly deposit: ModelDeposit;
  readonly amount: bigint;
  readonly hold: ModelHold;
  status: 'Open' | 'Agreed' | 'Rejected' | 'Cancelled' | 'Closed';
  agreed: bigint | null;
  returned: bigint;
  pending: bigint;
  refusals: number;
  pausedUntil: number;
}

export interface UnderWay {
  readonly refundId: string;
  readonly amount: bigint;
  readonly deposit: ModelDeposit;
  /** A return of the MED. */
  readonly of?: ModelCase;
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** The simplest institution that could answer the MED right. One account; nothing happens by itself. */
export class MedModel {
  available = 0n;
  held = 0n;
  readonly deposits: ModelDeposit[] = [];
  readonly cases: ModelCase[] = [];
  readonly underWay: UnderWay[] = [];

  /** Money comes in: holds that wait take it, older ones first. */
  comesIn(amount: bigint, at: number, except?: ModelHold): void {
    let left = amount;
    for (const { hold } of this.cases) {
      if (hold === except || hold.closed || at >= hold.until) continue;
      const taken = least(hold.amount - hold.filled, left);
      hold.filled += taken;
      hold.blocked += taken;
      left -= taken;
    }
    this.available += left;
  }

  report(told: Pick<ModelCase, 'id' | 'holdId' | 'railId' | 'deposit'> & { asked: bigint }, at: number): void {
    const { asked, ...known } = told;
    const amount = least(asked, told.deposit.amount - told.deposit.refunded);
    const until = told.deposit.completedAt + 90 * DAY_MS;
    const holds = amount > 0n && at < until;
    const filled = holds ? least(amount, this.available) : 0n;
    this.available -= filled;
    this.cases.push({
      ...known,
      amount,
      hold: { amount, until, filled, blocked: filled, closed: !holds },
      status: holds ? 'Open' : 'Closed',
      agreed: null,
      returned: 0n,
      pending: 0n,
      refusals: 0,
      pausedUntil: 0,
    });
  }

  /** @returns whether it is allowed */
  decide(one: ModelCase, agrees: boolean, amount: bigint | undefined, at: number): boolean {
    if (one.status !== 'Open' || (agrees && (amount ?? 0n) > one.amount)) return false;
    if (agrees) {
      one.status = 'Agreed';
      one.agreed = amount ?? one.amount;
    } else this.#end(one, 'Rejected', at);
    return true;
  }

  cancel(one: ModelCase, at: number): void {
    if (one.status === 'Open' || one.status === 'Agreed') this.#end(one, 'Cancelled', at);
  }

  /** @returns the return that is begun */
  advance(one: ModelCase, at: number): Omit<UnderWay, 'refundId'> | undefined {
    const { hold, deposit } = one;
    if (one.status === 'Open' && at >= hold.until) this.#end(one, 'Closed', at);
    if (one.status !== 'Agreed') {
      if (one.status !== 'Open' && one.pending === 0n && hold.blocked > 0n) this.#release(one, at);
      return undefined;
    }
    if (one.pending > 0n) return undefined;
    const wanted = least(one.agreed! - one.returned, deposit.amount - deposit.refunded);
    if (wanted === 0n || at >= hold.until || hold.closed) return void this.#end(one, 'Closed', at);
    if (hold.blocked > wanted) {
      const surplus = hold.blocked - wanted;
      hold.blocked = wanted;
      this.comesIn(surplus, at, hold);
    }
    if (hold.blocked === 0n || at < one.pausedUntil) return undefined;
    const amount = hold.blocked;
    hold.blocked = 0n;
    hold.closed = hold.filled === hold.amount;
    this.held += amount;
    one.pending = amount;
    deposit.refunded += amount;
    return { amount, deposit, of: one };
  }

  /** The rail has answered. */
  ended(one: UnderWay, settled: boolean, at: number): void {
    this.underWay.splice(this.underWay.indexOf(one), 1);
    this.held -= one.amount;
    if (!settled) one.deposit.refunded -= one.amount;
    const { of } = one;
    if (!of) {
      if (!settled) this.comesIn(one.amount, at);
      return;
    }
    of.pending = 0n;
    if (settled) {
      of.returned += one.amount;
      [of.refusals, of.pausedUntil] = [0, 0];
      return;
    }
    of.hold.blocked += one.amount;
    of.hold.closed = false;
    of.refusals += 1;
    of.pausedUntil = at + Math.min(HOUR_MS * 2 ** (of.refusals - 1), DAY_MS);
  }

  #end(one: ModelCase, status: ModelCase['status'], at: number): void {
    one.status = status;
    this.#release(one, at);
  }

  #release({ hold }: ModelCase, at: number): void {
    const amount = hold.blocked;
    hold.blocked = 0n;
    hold.closed = true;
    this.comesIn(amount, at, hold);
  }
}
