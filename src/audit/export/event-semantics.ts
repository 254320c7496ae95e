import type { EventLine } from '../log/event-line.js';

interface Posting {
  readonly account: string;
  readonly bucket: 'available' | 'held' | 'blocked';
  readonly amount: string;
  readonly entry: number;
  readonly balance: string;
}

/** An account as its entries give it. */
interface Account {
  readonly entry: number;
  readonly available: bigint;
  readonly held: bigint;
  readonly blocked: bigint;
}

const AMOUNT = /^(0|-?[1-9]\d*)$/;

/**
 * Rules for events beyond their hashes (docs/audit-format.md, "To verify"): the holder of the signing key could still
 * sign invalid events. For an incomplete log only rules among its own events apply. It remembers identifiers, streams
 * and accounts: some hundred bytes an event.
 */
export class EventSemantics {
  readonly #ids = new Set<string>();
  readonly #versions = new Map<string, number>();
  readonly #accounts = new Map<string, Account>();
  #complete = false;
  #time = 0;

  /** Begins with the events of another partition. */
  begin(complete: boolean): void {
    this.#complete = complete;
    this.#time = 0;
    this.#versions.clear();
    this.#accounts.clear();
  }

  /** @returns the problems of the next event */
  problemsOf({ id, time, stream, version, data }: EventLine): string[] {
    const problems: string[] = [];
    if (this.#ids.has(id)) problems.push(`the id ${id} is given twice`);
    this.#ids.add(id);
    if (time < this.#time) problems.push('its time is before that of the event before it');
    this.#time = Math.max(this.#time, time);
    const before = this.#versions.get(stream) ?? 0;
    if (!this.#follows(version, before)) problems.push(`version ${version} of stream ${stream} after ${before}`);
    this.#versions.set(stream, version);
    const { postings } = JSON.parse(data) as { postings?: unknown };
    if (postings !== undefined) problems.push(...this.#postings(postings));
    return problems;
  }

  #postings(postings: unknown): string[] {
    if (!Array.isArray(postings) || !postings.every(isPosting)) return ['its postings are not as the format has them'];
    const sum = postings.reduce((total, { amount }) => total + BigInt(amount), 0n);
    const problems = sum === 0n ? [] : [`its postings sum to ${sum}, not to 0`];
    for (const posting of postings) problems.push(...this.#posting(posting));
    return problems;
  }

  #posting({ account, bucket, amount, entry, balance }: Posting): string[] {
    const before = this.#accounts.get(account) ?? { entry: 0, available: 0n, held: 0n, blocked: 0n };
    const problems = this.#follows(entry, before.entry)
      ? []
      : [`entry ${entry} of account ${account} after ${before.entry}`];
    const due = before[bucket] + BigInt(amount);
    if (this.#complete && BigInt(balance) !== due) {
      problems.push(`entry ${entry} of account ${account} leaves a balance of ${balance}, where it comes to ${due}`);
    }
    this.#accounts.set(account, { ...before, entry, [bucket]: BigInt(balance) });
    return problems;
  }

  #follows(number: number, before: number): boolean {
    return this.#complete ? number === before + 1 : number > before;
  }
}

function isPosting(value: unknown): value is Posting {
  if (typeof value !== 'object' || value === null) return false;
  const { account, bucket, amount, entry, balance } = value as Record<string, unknown>;
  const isAmount = (text: unknown) => typeof text === 'string' && AMOUNT.test(text);
  return (
    typeof account === 'string' &&
    (bucket === 'available' || bucket === 'held' || bucket === 'blocked') &&
    isAmount(amount) &&
    isAmount(balance) &&
    Number.isSafeInteger(entry)
  );
}
