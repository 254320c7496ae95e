import { movesMoney, transactionParty } from '../../../accounts/index.js';
import type { PersonalDataCodec, RecordedEvent, Sealed } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

export const PAYERS = 'payers of deposits';

/** Of events about a deposit. */
interface Told {
  readonly id?: string;
  readonly expectedPayer?: Sealed;
  readonly payer?: Sealed;
}

/** A deposit that was credited, of another person's than was expected. */
interface Other {
  readonly event: RecordedEvent;
  readonly id: string;
  readonly expected: string;
  readonly payer: string;
}

/**
 * A deposit whose request names a payer by a tax number is credited only where that person paid. Who is expected is
 * read from its row, which somebody may have changed and put back. A request that names none has a subject of its own.
 */
export class ExpectedPayersCheck {
  /** Subjects by deposit, until it ends. */
  readonly #expected = new Map<string, string>();

  constructor(
    private readonly options: {
      readonly database: Database;
      readonly codec: PersonalDataCodec;
      readonly findings: Findings;
      readonly partition: number;
    },
  ) {}

  /** The next page of events. */
  async examine(page: readonly RecordedEvent[]): Promise<void> {
    const others = page.flatMap((event) => this.#otherIn(event) ?? []);
    if (others.length === 0) return;
    const { database, codec, findings, partition } = this.options;
    const rows = await database.backgroundQuery<{ subject: string; lookup: Buffer }>({
      name: 'verify-expected-payers',
      text: 'select subject, lookup from subject_key where partition = $1 and subject = any($2::uuid[])',
      values: [partition, others.map(({ expected }) => expected)],
    });
    const lookups = new Map(rows.map(({ subject, lookup }) => [subject, lookup]));
    for (const { event, id, expected, payer } of others) {
      // One who was forgotten since cannot be told from a subject of the deposit's own.
      const lookup = lookups.get(expected);
      if (!lookup || codec.lookupOf(transactionParty(id)).equals(lookup)) continue;
      const subject = `${event.type} of ${id}`;
      const place = { check: PAYERS, partition, position: event.position, subject, field: 'payer' };
      findings.report({ ...place, expected: `subject ${expected}`, found: `subject ${payer}` });
    }
  }

  #otherIn(event: RecordedEvent): Other | undefined {
    const { id, expectedPayer, payer } = event.data as Told;
    if (id === undefined) return undefined;
    if (expectedPayer) {
      this.#expected.set(id, expectedPayer.subject);
      return undefined;
    }
    const expected = this.#expected.get(id);
    if (expected === undefined) return undefined;
    this.#expected.delete(id);
    if (!payer || !movesMoney(event)) return undefined;
    this.options.findings.saw(PAYERS);
    return payer.subject === expected ? undefined : { event, id, expected, payer: payer.subject };
  }
}
