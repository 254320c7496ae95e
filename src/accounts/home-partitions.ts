import { Injectable } from '@nestjs/common';
import { REGISTRY_PARTITION } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';

/** The home of new partners: the partition with the fewest, so that partitions added later fill up first. */
@Injectable()
export class HomePartitions {
  constructor(private readonly database: Database) {}

  async emptiest(): Promise<number> {
    const [row] = await this.database.query<{ partition: number }>({
      name: 'home-partition-emptiest',
      text: `
        select h.partition
        from log_head h
        left join partner p on p.partition = $1 and p.home_partition = h.partition
        where h.partition <> $1
        group by h.partition
        order by count(p.uid), h.partition
        limit 1`,
      values: [REGISTRY_PARTITION],
    });
    return row!.partition;
  }
}
