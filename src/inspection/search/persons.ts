import { Injectable } from '@nestjs/common';
import { type Answers, Partitions, PersonalDataCodec, REGISTRY_PARTITION, taxpayer } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';

/** Finds data subjects by tax number, through the key table: a person is a separate subject for each partner. */
@Injectable()
export class Persons {
  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
    private readonly partitions: Partitions,
  ) {}

  /** @param partnerUid limits the search to one partner. @returns the subjects by partition */
  async subjectsOf(taxNumber: string, partnerUid: string | undefined): Promise<Answers<readonly string[]>> {
    const partners = await this.database.query<{ uid: string; home: number }>({
      name: 'search-partners',
      text: `
        select uid, home_partition as home from partner
        where partition = $1 and uid >= coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
          and uid <= coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid`,
      values: [REGISTRY_PARTITION, partnerUid ?? null],
    });
    const homes = Map.groupBy(partners, ({ home }) => home);
    const { found, away } = await this.partitions.ask([...homes.keys()], async (partition) => {
      const rows = await this.database.query<{ subject: string }>({
        name: 'search-persons',
        text: 'select subject from subject_key where partition = $1 and lookup = any($2::bytea[])',
        values: [partition, homes.get(partition)!.map(({ uid }) => this.codec.lookupOf(taxpayer(uid, taxNumber)))],
      });
      return rows.map(({ subject }) => subject);
    });
    return { found: found.filter(([, subjects]) => subjects.length > 0), away };
  }
}
