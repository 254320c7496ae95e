import { Injectable } from '@nestjs/common';
import { partitionOf } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Hold } from '../../domain/hold.js';
import { holdProjection } from '../../hold.projection.js';

/** Reads single holds. */
@Injectable()
export class HoldRows {
  constructor(private readonly database: Database) {}

  /** @returns `undefined` for an id that is not one of ours, too */
  async find(id: string): Promise<Hold | undefined> {
    const partition = partitionOf(id);
    const [row] = partition === undefined ? [] : await this.database.query(holdProjection.load(partition, [id]));
    return row && holdProjection.parse(row);
  }
}
