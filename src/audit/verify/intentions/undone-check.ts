import type { LeftUndone, RecordedEvent, Undone } from '../../../event-store/index.js';
import type { Findings } from '../report.js';

/** Reports what events left undone, though they say that it ended with them. */
export class UndoneCheck {
  readonly #watch;

  constructor(
    private readonly leaves: LeftUndone,
    private readonly findings: Findings,
  ) {
    this.#watch = leaves.watch();
  }

  get check(): string {
    return this.leaves.check;
  }

  examine(page: readonly RecordedEvent[]): void {
    this.findings.saw(this.check, page.length);
    for (const event of page) {
      const undone = this.#watch.see(event);
      if (undone) this.#report(undone);
    }
  }

  finish(): void {
    this.#watch.left().forEach((undone) => this.#report(undone));
  }

  #report({ event, ...undone }: Undone): void {
    const { partition, position } = event;
    this.findings.report({ check: this.check, partition, position, field: 'state', ...undone });
  }
}
