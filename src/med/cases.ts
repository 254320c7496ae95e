import { Injectable } from '@nestjs/common';
import {
  accountProjection,
  type Hold,
  holdProjection,
  LoggedHolds,
  LoggedTransactions,
  Registry,
  type Transaction,
  TransactionRows,
  transactionProjection,
} from '../accounts/index.js';
import {
  type Append,
  type EventOf,
  type IdempotencyKey,
  type LoadedRows,
  LogContradicted,
  type NewEvent,
  onNewest,
  type Outcome,
  partitionOf,
  type SubjectRef,
  WholeStreams,
} from '../event-store/index.js';
import { type InfractionRail, isSentOver, type SentOver } from '../pix/index.js';
import { Database } from '../platform/database/index.js';
import type { RunningCase } from './domain/advance-infraction.js';
import { InfractionReported } from './domain/infraction.events.js';
import { evolveInfraction, type Infraction, isRunning } from './domain/infraction.js';
import { infractionProjection, infractionTable } from './infraction.projection.js';

/** A case, and whose it is. */
interface ShownCase {
  readonly infraction: Infraction;
  readonly partition: number;
  readonly partnerUid: string;
}

/** A case with what its commands need. */
export interface LocatedCase extends ShownCase {
  /** As its events make it; absent where nothing was left to be blocked. */
  readonly hold?: Hold;
  /** Which rail reported it: another one knows nothing of it. */
  readonly reportedOver: SentOver;
}

/** What is decided about a hold follows from these. */
const OF_HOLD = ['version', 'status', 'amount', 'filled', 'released', 'executed', 'returned'] as const;

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
function appendToCase({ infraction, partition, hold }: LocatedCase, more: CaseAppend): Append {
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
    decide: (rows, at) => {
      const held = holdId === null ? undefined : rows.of(holdProjection).get(holdId);
      if (rows.of(infractionProjection).get(id)?.version !== infraction.version) throw contradicted(id);
      if (OF_HOLD.some((member) => held?.[member] !== hold?.[member])) throw contradicted(id);
      return decide(
        {
          infraction,
          account: rows.of(accountProjection).get(accountUid)!,
          hold: held,
          deposit: rows.of(transactionProjection).get(transactionId)!,
        },
        at,
        rows,
      );
    },
    metadata: { actor, requestId, causation, correlation: id },
    idempotency,
  };
}

/**
 * Cases as their own events make them: what is decided, whom money goes back to and what the rail is told is taken from
 * here. The password of the service's role is enough to change a row, and to put it back without a trace. So rows only
 * say which case it is.
 */
@Injectable()
export class Cases {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly streams: WholeStreams,
    private readonly transactions: TransactionRows,
    private readonly loggedTransactions: LoggedTransactions,
    private readonly holds: LoggedHolds,
  ) {}

  /** By its row: for display only. */
  async find(id: string): Promise<ShownCase | undefined> {
    const partition = partitionOf(id);
    const [row] = partition === undefined ? [] : await this.database.lookUp(infractionProjection.load(partition, [id]));
    return row && this.#locate(partition!, infractionTable.parse(row));
  }

  /** @throws where its events contradict one another */
  async logged(id: string): Promise<LocatedCase | undefined> {
    const partition = partitionOf(id);
    const found = await this.#fold(partition, id);
    if (!found) return undefined;
    const { infraction, reportedOver } = found;
    const hold = infraction.holdId === null ? undefined : await this.holds.find(infraction.holdId);
    return { ...(await this.#locate(partition!, infraction)), ...(hold && { hold }), reportedOver };
  }

  /**
   * Has something decided on a case and its hold as their events make them.
   * @param execute by the ledger
   * @throws LogContradicted where the row has a version that the log does not: nothing was done
   */
  async append(known: LocatedCase, more: CaseAppend, execute: (append: Append) => Promise<Outcome>): Promise<Outcome> {
    const read = async () => (await this.logged(known.infraction.id))!;
    // The row of the hold may be at an event that was not read yet, as a credit has filled it.
    const versionOf = ({ infraction, hold }: LocatedCase) => infraction.version + (hold?.version ?? 0);
    return onNewest({ first: known, read, versionOf }, (newest) => execute(appendToCase(newest, more)));
  }

  async ofHold(partition: number, holdId: string): Promise<LocatedCase | undefined> {
    const [row] = await this.database.backgroundQuery<{ id: string }>({
      name: 'infraction-of-hold',
      text: 'select id from infraction where partition = $1 and hold_id = $2',
      values: [partition, holdId],
    });
    return row && this.logged(row.id);
  }

  /** Which one decides about a hold: as long as it has not ended. The order that placed the hold names it. */
  async decidingAbout(partition: number, holdId: string): Promise<string | undefined> {
    const hold = await this.holds.find(holdId);
    if (hold?.cause !== 'Med' || partitionOf(hold.reference) !== partition) return undefined;
    const infraction = (await this.#fold(partition, hold.reference))?.infraction;
    return infraction?.holdId === holdId && isRunning(infraction) ? infraction.id : undefined;
  }

  /** @throws LogContradicted where its row names another report than its events do */
  async byRailId(partition: number, railId: string): Promise<LocatedCase | undefined> {
    const [row] = await this.database.backgroundQuery<{ id: string }>({
      name: 'infraction-by-rail-id',
      text: 'select id from infraction where partition = $1 and rail_id = $2',
      values: [partition, railId],
    });
    const known = row && (await this.logged(row.id));
    if (known && known.infraction.railId !== railId) throw contradicted(row.id);
    return known;
  }

  /** Those about a deposit that have not ended. */
  async runningOf(partition: number, depositId: string): Promise<LocatedCase[]> {
    const rows = await this.database.backgroundQuery<{ id: string }>({
      name: 'infractions-of-deposit',
      text: `
        select id from infraction
        where partition = $1 and transaction_id = $2 and status in ('Open', 'Defended', 'Agreed')`,
      values: [partition, depositId],
    });
    const found = await Promise.all(rows.map(({ id }) => this.logged(id)));
    return found.filter((known) => known !== undefined);
  }

  /** @throws where the log does not have it */
  deposit(id: string): Promise<Transaction> {
    return this.loggedTransactions.find('cash-in', id);
  }

  /**
   * What completed refunds leave of a deposit: one that is pending may still fail. Read before a commit, it may be too
   * much there: the end of each refund wakes its cases. Where it is less than what is wanted, the events of the refunds
   * say how much, as a case that wants less releases money.
   * @param wanted centavos
   * @throws where the log does not have one of the refunds
   */
  async leftOf(deposit: Transaction, wanted: bigint): Promise<bigint> {
    const refunds = await this.transactions.completedRefunds(deposit);
    const left = withoutAll(deposit.amount, refunds);
    if (left >= wanted) return left;
    const logged = await Promise.all(refunds.map(({ id }) => this.loggedTransactions.find('refund', id)));
    const made = logged.filter(({ refundOf, state }) => refundOf === deposit.id && state === 'Completed');
    return withoutAll(deposit.amount, made);
  }

  /** No row has the rail. */
  #fold(partition: number | undefined, id: string) {
    return this.streams.fold<{ readonly infraction: Infraction; readonly reportedOver: SentOver }>(
      partition,
      { what: 'infraction', id },
      (known, event) => ({
        infraction: evolveInfraction(known?.infraction, event),
        reportedOver: InfractionReported.is(event) ? reportedOver(event) : known!.reportedOver,
      }),
    );
  }

  async #locate(partition: number, infraction: Infraction): Promise<ShownCase> {
    const { partnerUid } = await this.registry.facts(infraction.accountUid);
    return { infraction, partition, partnerUid };
  }
}

function reportedOver({ data: { rail, psp } }: EventOf<typeof InfractionReported>): SentOver {
  return { rail, ...(psp !== undefined && { psp }) };
}

/** Whether it is this rail's, at this PSP. */
export function isOf(rail: Pick<InfractionRail, 'name' | 'psp'>, { reportedOver: over }: LocatedCase): boolean {
  return isSentOver(rail, over);
}

function contradicted(id: string): LogContradicted {
  return new LogContradicted(`The row of infraction ${id} contradicts its events`);
}

function withoutAll(amount: bigint, refunds: readonly { readonly amount: bigint }[]): bigint {
  return refunds.reduce((left, refund) => left - refund.amount, amount);
}
