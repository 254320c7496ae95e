import { LimitModel, type ModelPayout } from './limit-model.js';

export const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

export interface ModelAccount {
  available: bigint;
  held: bigint;
  /** Oldest first. */
  readonly holds: ModelHold[];
  readonly limits: LimitModel;
}

export interface ModelHold {
  readonly id: string | null;
  readonly account: ModelAccount;
  readonly amount: bigint;
  /** Milliseconds; zero, it waits for nothing. */
  readonly until: number;
  filled: bigint;
  blocked: bigint;
  closed: boolean;
}

export interface ModelDeposit {
  readonly id: string;
  readonly account: ModelAccount;
  readonly endToEndId: string;
  readonly amount: bigint;
  readonly completedAt: number;
  /** Given back, under way included. */
  refunded: bigint;
  /** Back at the payer. */
  back: bigint;
}

export interface ModelCase {
  readonly id: string;
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

export interface PaidOut {
  readonly id: string;
  readonly account: ModelAccount;
  readonly amount: bigint;
  readonly counted: ModelPayout;
  state: 'Registered' | 'Completed' | 'Error' | 'Reversed';
  completedAt: number;
  /** Came back from its payee. */
  back: bigint;
}

export interface ModelRecovery {
  readonly id: string;
  readonly payout: PaidOut;
  readonly amount: bigint;
  status: 'Opened' | 'Accepted' | 'Refused';
}

/** Money on its way out, until the rail has answered: a payout, or what goes back of a deposit. */
export type UnderWay = { readonly id: string; readonly account: ModelAccount; readonly amount: bigint } & (
  | { readonly payout: PaidOut }
  | { readonly deposit: ModelDeposit; /** A return of the MED. */ readonly of?: ModelCase }
);

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** The simplest institution that could be right about money. Nothing happens by itself. Moments are milliseconds. */
export class MoneyModel {
  readonly accounts: readonly ModelAccount[];
  readonly deposits: ModelDeposit[] = [];
  readonly cases: ModelCase[] = [];
  readonly payouts: PaidOut[] = [];
  readonly recoveries: ModelRecovery[] = [];
  readonly underWay: UnderWay[] = [];

  /** @param holder tax number of the accounts' holder */
  constructor(count: number, holder: string) {
    const account = () => ({ available: 0n, held: 0n, holds: [], limits: new LimitModel({ holder }) });
    this.accounts = Array.from({ length: count }, account);
  }

  /** Holds that an operator placed. */
  placed(): ModelHold[] {
    const ofCases = new Set(this.cases.map(({ hold }) => hold));
    return this.accounts.flatMap(({ holds }) => holds.filter((hold) => !ofCases.has(hold)));
  }

  /** Money comes in, from outside or from another bucket; holds that wait take it, older ones first. */
  comesIn(account: ModelAccount, amount: bigint, at: number, except?: ModelHold): void {
    let left = amount;
    for (const hold of account.holds) {
      if (hold === except || !this.waits(hold, at)) continue;
      const taken = least(hold.amount - hold.filled, left);
      hold.filled += taken;
      hold.blocked += taken;
      left -= taken;
    }
    account.available += left;
  }

  waits({ closed, until, filled, amount }: ModelHold, at: number): boolean {
    return !closed && at < until && filled < amount;
  }

  /** Takes what is there. @param amount zero holds nothing, and is over */
  place(account: ModelAccount, { id, amount, until }: Pick<ModelHold, 'id' | 'amount' | 'until'>): ModelHold {
    const filled = least(amount, account.available);
    account.available -= filled;
    const closed = filled === 0n && until === 0;
    const hold = { id, account, amount, until, filled, blocked: filled, closed };
    account.holds.push(hold);
    return hold;
  }

  /** Whether so much may leave a hold. */
  gives(hold: ModelHold, amount: bigint | undefined): boolean {
    return !hold.closed && (amount ?? 0n) <= hold.blocked;
  }

  /** @param amount `undefined`: all, which ends the hold */
  release(hold: ModelHold, amount: bigint | undefined, at: number): void {
    const released = amount ?? hold.blocked;
    this.execute(hold, released);
    if (amount === undefined) hold.closed = true;
    this.comesIn(hold.account, released, at, hold);
  }

  execute(hold: ModelHold, amount: bigint): void {
    hold.blocked -= amount;
    hold.closed = hold.blocked === 0n && !(hold.until > 0 && hold.filled < hold.amount);
  }

  pay(id: string, account: ModelAccount, to: string, amount: bigint, at: number): void {
    account.available -= amount;
    account.held += amount;
    account.limits.accept(id, to, amount, new Date(at));
    const counted = account.limits.payouts.at(-1)!;
    const payout: PaidOut = { id, account, amount, counted, state: 'Registered', completedAt: 0, back: 0n };
    this.payouts.push(payout);
    this.underWay.push({ id, account, amount, payout });
  }

  refund(id: string, deposit: ModelDeposit, amount: bigint): void {
    const { account } = deposit;
    account.available -= amount;
    account.held += amount;
    deposit.refunded += amount;
    this.underWay.push({ id, account, amount, deposit });
  }

  /** What of a payout can be asked back. */
  recoverable({ id, state, amount, back }: PaidOut): bigint {
    const isAsked = this.recoveries.some(({ payout, status }) => payout.id === id && status === 'Opened');
    return state === 'Completed' && !isAsked ? amount - back : 0n;
  }

  /** @param accepted `undefined`: refused */
  recovered(recovery: ModelRecovery, accepted: bigint | undefined, at: number): void {
    recovery.status = accepted === undefined ? 'Refused' : 'Accepted';
    const { payout } = recovery;
    payout.back += accepted ?? 0n;
    this.comesIn(payout.account, accepted ?? 0n, at);
  }

  report(
    {
      holdId,
      asked,
      ...known
    }: Pick<ModelCase, 'id' | 'railId' | 'deposit'> & { asked: bigint; holdId: string | null },
    at: number,
  ): void {
    const { account, amount: deposited, back, completedAt } = known.deposit;
    const amount = least(asked, deposited - back);
    const until = completedAt + 90 * DAY_MS;
    const holds = amount > 0n && at < until;
    const hold = { id: null, account, amount, until, filled: 0n, blocked: 0n, closed: true };
    this.cases.push({
      ...known,
      amount,
      hold: holds ? this.place(account, { id: holdId, amount, until }) : hold,
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

  /** @returns whether a return is begun, of how much */
  advance(one: ModelCase, at: number): bigint | undefined {
    const { hold, deposit } = one;
    if (one.status === 'Open' && at >= hold.until) this.#end(one, 'Closed', at);
    if (one.status !== 'Agreed' && one.status !== 'Open') {
      if (one.pending === 0n && hold.blocked > 0n) this.release(hold, undefined, at);
      return undefined;
    }
    if (one.pending > 0n) return undefined;
    const wanted = least((one.agreed ?? one.amount) - one.returned, deposit.amount - deposit.back);
    if (wanted === 0n) return this.#end(one, 'Closed', at);
    if (hold.blocked > wanted) {
      const surplus = hold.blocked - wanted;
      hold.blocked = wanted;
      this.comesIn(hold.account, surplus, at, hold);
    }
    if (one.status === 'Open') return undefined;
    if (at >= hold.until || hold.closed) return this.#end(one, 'Closed', at);
    const amount = least(hold.blocked, deposit.amount - deposit.refunded);
    if (amount === 0n || at < one.pausedUntil) return undefined;
    hold.blocked -= amount;
    hold.closed = hold.blocked === 0n && hold.filled === hold.amount;
    hold.account.held += amount;
    one.pending = amount;
    deposit.refunded += amount;
    return amount;
  }

  /** The rail has answered. */
  ended(one: UnderWay, state: Exclude<PaidOut['state'], 'Registered'>, at: number): void {
    this.underWay.splice(this.underWay.indexOf(one), 1);
    const { account, amount } = one;
    account.held -= amount;
    const isPaid = state === 'Completed';
    if ('payout' in one) {
      one.payout.state = state;
      one.payout.completedAt = at;
      account.limits.end(one.payout.counted, state);
    } else if (isPaid) one.deposit.back += amount;
    else one.deposit.refunded -= amount;
    if ('deposit' in one && one.of) this.#returned(one.of, amount, isPaid, at);
    else if (!isPaid) this.comesIn(account, amount, at);
  }

  #returned(one: ModelCase, amount: bigint, isPaid: boolean, at: number): void {
    one.pending = 0n;
    if (isPaid) {
      one.returned += amount;
      [one.refusals, one.pausedUntil] = [0, 0];
      return;
    }
    one.hold.blocked += amount;
    one.hold.closed = false;
    one.refusals += 1;
    const last = one.hold.until - HOUR_MS;
    const after = at + Math.min(HOUR_MS * 2 ** (one.refusals - 1), DAY_MS);
    one.pausedUntil = at < last ? Math.min(last, after) : after;
  }

  #end(one: ModelCase, status: ModelCase['status'], at: number): undefined {
    one.status = status;
    if (one.hold.id !== null) this.release(one.hold, undefined, at);
  }
}
