import { Injectable } from '@nestjs/common';
import {
  accountProjection,
  holdProjection,
  Registry,
  type Transaction,
  TransactionRows,
  transactionProjection,
} from '../accounts/index.js';
import {
  type Append,
  type IdempotencyKey,
  type LoadedRows,
  type NewEvent,
  partitionOf,
  type SubjectRef,
} from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import { refundable } from '../pix/index.js';
import type { RunningCase } from './domain/advance-infraction.js';
import type { Infraction } from './domain/infraction.js';
import { infractionProjection, infractionTable } from './infraction.projection.js';

/** A case with what its commands need. */
export interface LocatedCase {
  readonly infraction: Infraction;
  readonly partition: number;
  readonly partnerUid: string;
}

export interface CaseAppend {
  /** `rail:<name>`, `timer`, `access-key:<id>`, `operator:<name>`. */
  readonly actor: string;
  readonly requestId?: string;
  readonly causation?: string;
  readonly subjects?: readonly SubjectRef[];
  /** Transactions that the events may make. */
  readonly creates?: readonly string[];
  readonly idempotency?: IdempotencyKey;
  /** Other accounts that are read. */
  readonly also?: readonly string[];
  readonly decide: (state: RunningCase, at: Date, rows: LoadedRows) => readonly NewEvent[];
}

/** An append to a case: it reads the case, its account, its hold and the deposit. */
export function appendToCase({ infraction, partition }: LocatedCase, more: CaseAppend): Append {
  const { id, accountUid, transactionId, holdId } = infraction;
  const { actor, requestId, causation, subjects, creates = [], idempotency, also = [], decide } = more;
  return {
    partition,
    reads: {
      accounts: [accountUid, ...also],
      infractions: [id],
      transactions: [transactionId],
      ...(holdId !== null && { holds: [holdId] }),
    },
    creates: { transactions: creates },
    subjects,
    decide: (rows, at) =>
      decide(
        {
          infraction: rows.of(infractionProjection).get(id)!,
          account: rows.of(accountProjection).get(accountUid)!,
          hold: holdId === null ? undefined : rows.of(holdProjection).get(holdId),
          deposit: rows.of(transactionProjection).get(transactionId)!,
        },
        at,
        rows,
      ),
    metadata: { actor, requestId, causation, correlation: id },
    idempotency,
  };
}

/** Finds cases, by whatever names them. */
@Injectable()
export class Cases {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
  ) {}

  async find(id: string): Promise<LocatedCase | undefined> {
    const partition = partitionOf(id);
    const [row] = partition === undefined ? [] : await this.database.lookUp(infractionProjection.load(partition, [id]));
    return row && this.#locate(partition!, infractionTable.parse(row));
  }

  async ofHold(partition: number, holdId: string): Promise<LocatedCase | undefined> {
    const [row] = await this.database.backgroundQuery({
      name: 'infraction-of-hold',
      text: `select ${infractionTable.columns} from infraction where partition = $1 and hold_id = $2`,
      values: [partition, holdId],
    });
    return row && this.#locate(partition, infractionTable.parse(row));
  }

  /** Which one decides about a hold: as long as it has not ended. */
  async decidingAbout(partition: number, holdId: string): Promise<string | undefined> {
    const [row] = await this.database.lookUp<{ id: string }>({
      name: 'infraction-deciding-about-hold',
      text: `
        select id from infraction
        where partition = $1 and hold_id = $2 and status in ('Open', 'Defended', 'Agreed')`,
      values: [partition, holdId],
    });
    return row?.id;
  }

  async byRailId(partition: number, railId: string): Promise<LocatedCase | undefined> {
    const [row] = await this.database.backgroundQuery({
      name: 'infraction-by-rail-id',
      text: `select ${infractionTable.columns} from infraction where partition = $1 and rail_id = $2`,
      values: [partition, railId],
    });
    return row && this.#locate(partition, infractionTable.parse(row));
  }

  /** Those about a deposit that have not ended. */
  async runningOf(partition: number, depositId: string): Promise<LocatedCase[]> {
    const rows = await this.database.backgroundQuery({
      name: 'infractions-of-deposit',
      text: `
        select ${infractionTable.columns} from infraction
        where partition = $1 and transaction_id = $2 and status in ('Open', 'Defended', 'Agreed')`,
      values: [partition, depositId],
    });
    return Promise.all(rows.map((row) => this.#locate(partition, infractionTable.parse(row))));
  }

  deposit({ infraction }: LocatedCase): Promise<Transaction | undefined> {
    return this.transactions.find(infraction.transactionId);
  }

  /**
   * What completed refunds leave of a deposit: one that is pending may still fail. Read before a commit, it may be too
   * much there: the end of each refund wakes its cases.
   */
  async leftOf(deposit: Transaction): Promise<bigint> {
    if (refundable(deposit) === deposit.amount) return deposit.amount;
    return deposit.amount - (await this.transactions.refundedAmount(deposit));
  }

  async #locate(partition: number, infraction: Infraction): Promise<LocatedCase> {
    const { partnerUid } = await this.registry.facts(infraction.accountUid);
    return { infraction, partition, partnerUid };
  }
}
