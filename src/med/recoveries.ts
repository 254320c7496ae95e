import { Injectable } from '@nestjs/common';
import { Registry } from '../accounts/index.js';
import { partitionOf } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import type { Recovery } from './domain/recovery.js';
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
  ) {}

  async find(id: string): Promise<LocatedRecovery | undefined> {
    const partition = partitionOf(id);
    const [row] = partition === undefined ? [] : await this.database.lookUp(recoveryProjection.load(partition, [id]));
    if (!row) return undefined;
    const recovery = recoveryTable.parse(row);
    const { partnerUid } = await this.registry.facts(recovery.accountUid);
    return { recovery, partition: partition!, partnerUid };
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
}
