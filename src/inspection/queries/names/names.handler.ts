import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { maySee } from '../../../auth/index.js';
import { partitionOf, Partitions } from '../../../event-store/index.js';
import { Names } from '../../names/names.js';
import type { AccountNames } from './names.answer.js';
import { ReadNames } from './names.query.js';

@QueryHandler(ReadNames)
export class ReadNamesHandler implements IQueryHandler<ReadNames> {
  constructor(
    private readonly registry: Registry,
    private readonly partitions: Partitions,
    private readonly names: Names,
  ) {}

  async execute({ viewer, uids }: ReadNames): Promise<AccountNames> {
    const groups = Map.groupBy(uids, (uid) => partitionOf(uid) ?? -1);
    const known = this.partitions.all().filter((partition) => groups.has(partition));
    const { found, away } = await this.partitions.ask(known, async (partition) => {
      const accounts = [...(await this.registry.accounts(partition, groups.get(partition)!)).values()];
      const visible = accounts.filter(({ system, partnerUid }) => !system && maySee(viewer, partnerUid));
      return [...(await this.names.accounts(partition, visible))].map(([uid, name]) => ({ uid, name }));
    });
    return { items: found.flatMap(([, items]) => items), partitionsAway: away };
  }
}
