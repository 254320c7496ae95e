import { Injectable } from '@nestjs/common';
import { partitionOf } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { blockedBy, type Hold } from '../../domain/hold.js';
import { holdProjection } from '../../hold.projection.js';

/** Reads holds by their ids. */
@Injectable()
export class HoldRows {
  constructor(private readonly database: Database) {}

  /** @returns `undefined` for an id that is not one of ours, too */
  async find(id: string): Promise<Hold | undefined> {
    const partition = partitionOf(id);
    return partition === undefined ? undefined : (await this.#load(partition, [id]))[0];
  }

  /** What each of these holds blocks now, centavos. @param ids of holds that there are */
  async blocked(ids: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    const homes = [...Map.groupBy(ids, (id) => partitionOf(id)!)];
    const holds = await Promise.all(homes.map(([partition, some]) => this.#load(partition, some)));
    return new Map(holds.flat().map((hold) => [hold.id, blockedBy(hold)]));
  }

  async #load(partition: number, ids: readonly string[]): Promise<Hold[]> {
    const rows = await this.database.query(holdProjection.load(partition, ids));
    return rows.map((row) => holdProjection.parse(row));
  }
}
