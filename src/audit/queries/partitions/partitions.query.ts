import { Query } from '@nestjs/cqrs';
import type { AuditReader } from '../../domain/auditor.js';
import type { PartitionList } from './partitions.answer.js';

/** The partitions of the log that an auditor may see, at present. */
export class ListPartitions extends Query<PartitionList> {
  constructor(readonly auditor: AuditReader) {
    super();
  }
}
