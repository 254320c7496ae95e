import { Injectable } from '@nestjs/common';
import { Registry } from '../accounts/index.js';
import { partitionOf, WholeStreams } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import { evolveRecovery, type Recovery } from './domain/recovery.js';
import { recoveryProjection, recoveryTable } from './recovery.projection.js';

/** A recovery with what its commands need. */
export interface LocatedRecovery {
  readonly recovery: Recovery;
  readonly partition: number;
  readonly partnerUid: string;
}

/** Finds recoveries. */
@Injectable()
export class Recoveries {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly streams: WholeStreams,
  ) {}

  /** By its row: for display only. */
  async find(id: string): Promise<LocatedRecovery | undefined> {
    const partition = partitionOf(id);
    const [row] = partition === undefined ? [] : await this.database.lookUp(recoveryProjection.load(partition, [id]));
    return row && this.#locate(partition!, recoveryTable.parse(row));
  }

  /** As its own events make it, and no row: what the rail is told. @throws where they contradict one another */
  async logged(id: string): Promise<LocatedRecovery | undefined> {
    const partition = partitionOf(id);
    const recovery = await this.streams.fold(partition, { what: 'recovery', id }, evolveRecovery);
    return recovery && this.#locate(partition!, recovery);
  }

  /** Whether one of a payout is under way. */
  async isUnderWay(payoutId: string): Promise<boolean> {
    const rows = await this.database.query({
      name: 'recovery-under-way',
      text: `
        select from recovery
        where partition = $1 and transaction_id = $2 and status in ('Requested', 'Opened')`,
      values: [partitionOf(payoutId)!, payoutId],
    });
    return rows.length > 0;
  }

  async #locate(partition: number, recovery: Recovery): Promise<LocatedRecovery> {
    const { partnerUid } = await this.registry.facts(recovery.accountUid);
    return { recovery, partition, partnerUid };
  }
}
