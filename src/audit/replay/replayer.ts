import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type Account, accountProjection, entriesOf, transactionProjection } from '../../accounts/index.js';
import { EventLog, partitionOf, type RecordedEvent, toRecorded } from '../../event-store/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import { formatAmount } from '../../platform/money.js';
import { CommandRefused } from '../errors.js';
import { LogReader } from '../log/log-reader.js';
import { SpillingFold } from '../verify/folds/spilling-fold.js';

/** The end of a replay: a position of a partition, a moment, or the head. Both are inclusive. */
export interface Until {
  readonly position?: bigint;
  readonly moment?: Date;
}

/** A line of output: names and values as shown. */
export type Line = Readonly<Record<string, string>>;

const BUDGET = 50_000;

/** Replays state from the events alone, without the projections. */
@Injectable()
export class Replayer {
  constructor(
    private readonly log: EventLog,
    private readonly reader: LogReader,
  ) {}

  /** The balances of every account, in order of partition and account. */
  async *balances(partition: number | undefined, until: Until): AsyncGenerator<Line, void, undefined> {
    const heads = await this.log.heads();
    if (partition !== undefined && !heads.has(partition))
      throw new CommandRefused(`There is no partition ${partition}.`);
    for (const one of partition === undefined ? heads.keys() : [partition]) {
      const folder = await mkdtemp(join(tmpdir(), 'ledger-replay-'));
      try {
        const fold = new SpillingFold<Account>(accountProjection, folder, BUDGET, (error) => {
          throw error;
        });
        for await (const event of this.#events(one, until)) fold.apply(event);
        for (const { row, position } of fold.rows()) if (row) yield balanceLine(one, row, position);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }

  /** Every movement of one account, oldest first. */
  async *account(uid: string, until: Until): AsyncGenerator<Line, void, undefined> {
    let isKnown = endsEarly(until);
    for await (const event of this.#events(homeOf('CustomerAccountEntity', 'uid', uid), until)) {
      isKnown ||= accountProjection.keysOf(event).includes(uid);
      for (const entry of entriesOf(event)) {
        if (entry.accountUid !== uid) continue;
        yield {
          entry: String(entry.number),
          position: String(entry.position),
          time: entry.time.toISOString(),
          kind: entry.kind,
          transactionId: entry.transactionId ?? '',
          bucket: entry.bucket,
          amount: formatAmount(entry.amount),
          balanceAfter: formatAmount(entry.balance),
        };
      }
    }
    if (!isKnown) throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
  }

  /** The history of one transaction, with its state after each event. Personal data stays sealed. */
  async *transaction(id: string, until: Until): AsyncGenerator<Line, void, undefined> {
    let row: Parameters<typeof transactionProjection.evolve>[0];
    for await (const event of this.#events(homeOf('TransactionEntity', 'id', id), until)) {
      if (!transactionProjection.keysOf(event).includes(id)) continue;
      row = transactionProjection.evolve(row, event, id);
      yield {
        position: String(event.position),
        time: event.time.toISOString(),
        event: event.type,
        state: row.state,
        actor: event.metadata.actor,
        eventId: event.id,
        data: JSON.stringify(event.data),
      };
    }
    if (!row && !endsEarly(until)) throw new EntityNotFound('TransactionEntity', 'id', id);
  }

  async *#events(partition: number, { position, moment }: Until): AsyncGenerator<RecordedEvent, void, undefined> {
    const head = (await this.log.heads()).get(partition) ?? 0n;
    const last = position === undefined || position > head ? head : position;
    for await (const page of this.reader.pages(partition, 0n, last)) {
      for (const event of page) {
        // Time never runs backwards within a partition.
        if (moment && event.time > moment) return;
        yield toRecorded(event);
      }
    }
  }
}

/** Where it does, nothing is no sign that there is nothing. */
const endsEarly = ({ position, moment }: Until) => position !== undefined || moment !== undefined;

function homeOf(entity: string, parameter: string, id: string): number {
  const partition = partitionOf(id);
  if (partition === undefined) throw new EntityNotFound(entity, parameter, id);
  return partition;
}

function balanceLine(partition: number, account: Account, position: bigint): Line {
  return {
    partition: String(partition),
    account: account.uid,
    partner: account.partnerUid,
    system: account.system ?? '',
    status: account.status,
    available: formatAmount(account.available),
    held: formatAmount(account.held),
    blocked: formatAmount(account.blocked),
    entries: String(account.entries),
    lastPosition: String(position),
  };
}
