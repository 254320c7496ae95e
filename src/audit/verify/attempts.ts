import { sqlState } from '../../platform/database/index.js';
import { type Findings, show } from './report.js';

/**
 * Classes of SQLSTATE of a value that a statement cannot work with: feature not supported (infinity as a whole number),
 * cardinality violation, data exception, limit exceeded (nesting).
 */
const OF_VALUES = /^(0A|21|22|54)/;

/**
 * Runs checks. What somebody stored may be such that a check cannot work with it: that is a divergence, and the other
 * checks go on. Otherwise one such value would hide from the report whatever else was changed.
 */
export class Attempts {
  readonly #failed = new Set<unknown>();

  constructor(
    private readonly of: {
      readonly findings: Findings;
      readonly partition: number;
      /** Called for what cannot be compared; it may throw. */
      onFault?(error: unknown): void;
    },
  ) {}

  /**
   * @param check its name in the report
   * @param one what has failed once is not tried again
   * @throws faults of the database and of the system, which say nothing about what is stored
   */
  async run(check: string, one: unknown, work: () => Promise<void> | void): Promise<void> {
    if (this.#failed.has(one)) return;
    try {
      await work();
    } catch (error) {
      if (!isOfValue(error)) throw error;
      const { findings, partition } = this.of;
      this.of.onFault?.(error);
      this.#failed.add(one);
      findings.report({
        ...{ check, partition, position: null, subject: null, field: 'check' },
        ...{ expected: 'what can be compared', found: show((error as Error).message) },
      });
    }
  }
}

function isOfValue(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true;
  return OF_VALUES.test(sqlState(error) ?? '');
}
