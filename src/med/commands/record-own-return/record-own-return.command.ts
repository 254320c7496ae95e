import { Command } from '@nestjs/cqrs';
import type { OwnReturn } from '../../../pix/index.js';
import type { LocatedCase } from '../../cases.js';

/** The rail gave money of a case back by itself. A repetition changes nothing. */
export class RecordOwnReturn extends Command<void> {
  constructor(
    readonly known: LocatedCase,
    readonly made: OwnReturn,
    /** Nothing is waited for: the report is about to be taken back. */
    readonly isLast: boolean,
  ) {
    super();
  }
}
