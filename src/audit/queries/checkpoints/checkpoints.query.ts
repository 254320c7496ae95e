import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { AuditReader } from '../../domain/auditor.js';
import type { CheckpointView, NewestCheckpoints } from './checkpoints.answer.js';

/** The newest signed note of a partition, public. */
export class GetNewestNote extends Query<string> {
  constructor(readonly partition: number) {
    super();
  }
}

/** The keys that verify checkpoints, in order of partition (C2SP vkey). */
export class ListVerifierKeys extends Query<readonly string[]> {}

/** The newest checkpoint of every partition that an auditor may see. */
export class ListNewestCheckpoints extends Query<NewestCheckpoints> {
  constructor(readonly auditor: AuditReader) {
    super();
  }
}

/** All checkpoints of a partition, smallest first. */
export class ListCheckpoints extends Query<Page<CheckpointView>> {
  constructor(
    readonly auditor: AuditReader,
    readonly partition: number,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
