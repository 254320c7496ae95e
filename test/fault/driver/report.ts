import { FAULT_KINDS, KILLS } from './faults.js';
import type { RoundResult } from './round.js';

/** Figures of a run, added up round by round. */
export class Report {
  readonly #rounds: RoundResult[] = [];
  readonly #started = performance.now();

  add(round: RoundResult): void {
    this.#rounds.push(round);
  }

  get failed(): readonly RoundResult[] {
    return this.#rounds.filter(({ wrong }) => wrong.length > 0);
  }

  /** Processes killed and servers restarted. */
  get kills(): number {
    return this.#rounds.flatMap(({ faults }) => faults).filter((kind) => KILLS.has(kind)).length;
  }

  line(): string {
    const { seed, book, faults, wrong } = this.#rounds.at(-1)!;
    const { sent, done, refused, unavailable, unknown } = book.tally();
    const figures = `${sent} sent, ${done} acknowledged, ${refused} refused, ${unavailable} unavailable, ${unknown} unknown`;
    return `round ${this.#rounds.length} seed ${seed}: ${faults.length} faults, ${figures}: ${wrong.length === 0 ? 'ok' : 'FAILED'}`;
  }

  text(): string {
    const tallies = this.#rounds.map(({ book }) => book.tally());
    const sum = (name: keyof (typeof tallies)[number]) => tallies.reduce((total, tally) => total + tally[name], 0);
    const count = (name: 'reads' | 'logins' | 'payments') =>
      this.#rounds.reduce((total, { book }) => total + book.counts[name], 0);
    const faults = this.#rounds.flatMap((round) => round.faults);
    const minutes = (performance.now() - this.#started) / 60_000;
    return [
      `${this.#rounds.length} rounds in ${minutes.toFixed(1)} minutes`,
      `commands sent          ${sum('sent')}`,
      `  acknowledged         ${sum('done')}`,
      `  refused by a rule    ${sum('refused')}`,
      `  503 and 429          ${sum('unavailable')}`,
      `  outcome unknown      ${sum('unknown')}`,
      `reads, logins, payers  ${count('reads')}, ${count('logins')}, ${count('payments')}`,
      `faults                 ${faults.length}`,
      ...FAULT_KINDS.map((kind) => `  ${kind.padEnd(34)} ${faults.filter((one) => one === kind).length}`),
      `kills and restarts     ${this.kills} (${(this.kills / minutes).toFixed(1)} a minute)`,
      `rounds that failed     ${this.failed.length}`,
    ].join('\n');
  }
}
