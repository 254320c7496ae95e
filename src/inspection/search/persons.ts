import { Injectable } from '@nestjs/common';
import { taxpayer } from '../../accounts/index.js';
import { type PartitionAnswers, Partitions, REGISTRY_PARTITION, SubjectVault } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';

/** Finds data subjects by tax number, through the key table: a person is a separate subject for each partner. */
@Injectable()
export class Persons {
  constructor(
    private readonly database: Database,
    private readonly vault: SubjectVault,
    private readonly partitions: Partitions,
  ) {}

  /** @param partnerUid limits the search to one partner. @returns the subjects by partition */
  async subjectsOf(taxNumber: string, partnerUid: string | undefined): Promise<PartitionAnswers<readonly string[]>> {
    const partners = await this.database.query<{ uid: string; home: number }>({
      name: 'search-partners',
      text: `
        select uid, home_partition as home from partner
        where partition = $1 and uid >= coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
          and uid <= coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid`,
      values: [REGISTRY_PARTITION, partnerUid ?? null],
    });
    const homes = Map.groupBy(partners, ({ home }) => home);
    const { found, away } = await this.partitions.ask([...homes.keys()], (partition) =>
      this.vault.withKeys(
        partition,
        homes.get(partition)!.map(({ uid }) => taxpayer(uid, taxNumber)),
      ),
    );
    return { found: found.filter(([, subjects]) => subjects.length > 0), away };
  }
}
