import { Injectable } from '@nestjs/common';
import { REGISTRY_PARTITION } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import type { AuditReader } from '../domain/auditor.js';

/** The partitions that a caller may see; limited to a partner, those are the registry's and the partner's own. */
@Injectable()
export class VisiblePartitions {
  constructor(private readonly database: Database) {}

  /** @param partner `null` for access to all. @throws EntityNotFound for an unknown partner */
  async filterOf(partner: string | null): Promise<(partition: number) => boolean> {
    if (partner === null) return () => true;
    const [row] = await this.database.query<{ home: number }>({
      name: 'audit-partner-home',
      text: 'select home_partition as home from partner where partition = $1 and uid = $2',
      values: [REGISTRY_PARTITION, partner],
    });
    if (!row) throw new EntityNotFound('PartnerEntity', 'uid', partner);
    return (partition) => partition === REGISTRY_PARTITION || partition === row.home;
  }

  /** @throws EntityNotFound for a partition that the auditor may not see */
  async assert({ partnerUid }: Pick<AuditReader, 'partnerUid'>, partition: number): Promise<void> {
    const isVisible = await this.filterOf(partnerUid);
    if (!isVisible(partition)) throw new EntityNotFound('PartitionEntity', 'partition', String(partition));
  }
}
