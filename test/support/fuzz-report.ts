import { type Route, ROUTES } from './api-document.js';

/** Counts the answers of a fuzz run, by route and status. */
export class FuzzReport {
  readonly #answers = new Map<string, Map<number, number>>();

  constructor(private readonly seed: number) {}

  count({ name }: Route, status: number): void {
    const of = this.#answers.get(name) ?? new Map<number, number>();
    this.#answers.set(name, of.set(status, (of.get(status) ?? 0) + 1));
  }

  get total(): number {
    return sum(ROUTES.map(({ name }) => sum(this.#counts(name).values())));
  }

  text(): string {
    const rows = ROUTES.map((route) => {
      const counts = [...this.#counts(route.name)].sort(([a], [b]) => a - b);
      const requests = String(sum(counts.map(([, times]) => times))).padStart(6);
      return `${requests}  ${route.name}: ${counts.map(([status, times]) => `${status} × ${times}`).join(', ')}`;
    });
    const byStatus = new Map<number, number>();
    for (const { name } of ROUTES) {
      for (const [status, times] of this.#counts(name)) byStatus.set(status, (byStatus.get(status) ?? 0) + times);
    }
    const totals = [...byStatus].sort(([a], [b]) => a - b).map(([status, times]) => `${status} × ${times}`);
    return `\n${rows.join('\n')}\n${String(this.total).padStart(6)}  all, seed ${this.seed}: ${totals.join(', ')}\n`;
  }

  #counts(name: string): ReadonlyMap<number, number> {
    return this.#answers.get(name) ?? new Map<number, number>();
  }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, one) => total + one, 0);
}
