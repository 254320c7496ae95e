import { type PersonalDataCodec, REGISTRY_PARTITION, type Sealed } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

export const NUMBERS = 'account numbers';
const PAGE = 1_000;

interface Row extends Record<string, unknown> {
  readonly uid: string;
  readonly holder: Sealed<{ readonly number: string }>;
  readonly lookup: Buffer;
  readonly wrapped: Buffer;
}

/**
 * No two accounts have one number, whatever their partitions, nor will the next one. It comes from a sequence, which
 * somebody may have set back, and which a copy by logical replication does not have. A number is personal: the report
 * does not tell it.
 */
export class AccountNumbersCheck {
  readonly #given = new Set<string>();
  #greatest = 0n;

  constructor(
    private readonly options: {
      readonly database: Database;
      readonly codec: PersonalDataCodec;
      readonly findings: Findings;
    },
  ) {}

  async examine(partition: number): Promise<void> {
    for await (const row of this.#rows(partition)) {
      const number = this.#numberOf(row);
      if (number === undefined) continue;
      this.options.findings.saw(NUMBERS);
      if (this.#given.has(number)) this.#report(partition, row.uid);
      this.#given.add(number);
      if (BigInt(number) > this.#greatest) this.#greatest = BigInt(number);
    }
  }

  /**
   * When all partitions were examined: a number that is given meanwhile is above those. What goes down, or begins
   * again, gives numbers of before wherever it is.
   */
  async examineSequence(): Promise<void> {
    const [sequence] = await this.options.database.backgroundQuery<{ last: string | null }>({
      name: 'verify-account-sequence',
      text: `
        select case when increment_by > 0 and not cycle then last_value end as last from pg_catalog.pg_sequences
        where schemaname = 'public'::text and sequencename = 'account_number'::text`,
      values: [],
    });
    if (BigInt(sequence?.last ?? 0) >= this.#greatest) return;
    this.options.findings.report({
      ...{ check: NUMBERS, partition: REGISTRY_PARTITION, position: null },
      ...{ subject: 'sequence account_number', field: 'last_value' },
      ...{ expected: 'at least the greatest number of an account', found: 'less: numbers will be given again' },
    });
  }

  /** `undefined` for what no key opens: `SubjectKeysCheck` tells of it. */
  #numberOf({ holder, lookup, wrapped }: Row): string | undefined {
    const { codec } = this.options;
    try {
      return codec.open(holder, codec.unwrap({ id: holder.subject, lookup, wrapped })).number;
    } catch {
      return undefined;
    }
  }

  /** Accounts whose holder was not forgotten. */
  async *#rows(partition: number): AsyncGenerator<Row, void, undefined> {
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const page = await this.options.database.backgroundQuery<Row>({
        name: 'verify-account-numbers',
        text: `
          select a.uid, a.holder, k.lookup, k.wrapped_key as wrapped
          from account a
          join subject_key k on k.partition = a.partition and k.subject = (a.holder ->> 'subject')::uuid
          where a.partition = $1 and a.uid > $2
          order by a.uid limit ${PAGE}`,
        values: [partition, after],
      });
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.uid;
    }
  }

  #report(partition: number, uid: string): void {
    const place = { check: NUMBERS, partition, position: null, subject: `account ${uid}`, field: 'holder.number' };
    this.options.findings.report({ ...place, expected: 'a number of its own', found: 'that of another account' });
  }
}
