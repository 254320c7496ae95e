import { Injectable } from '@nestjs/common';
import { PersonalDataCodec, REGISTRY_PARTITION, taxpayer } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';

/** A data subject that still has its key. */
export interface Person {
  readonly partition: number;
  readonly subject: string;
}

/** Finds data subjects by tax number, through the key table: a person is another subject to each partner. */
@Injectable()
export class Persons {
  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
  ) {}

  /** @param partnerUid limits the search to one partner's */
  async subjectsOf(taxNumber: string, partnerUid: string | undefined): Promise<Person[]> {
    const partners = await this.database.query<{ uid: string; home: number }>({
      name: 'search-partners',
      text: `
        select uid, home_partition as home from partner
        where partition = $1 and uid >= coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
          and uid <= coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid`,
      values: [REGISTRY_PARTITION, partnerUid ?? null],
    });
    return this.database.query<Person & Record<string, unknown>>({
      name: 'search-persons',
      text: `
        select k.partition, k.subject
        from unnest($1::int[], $2::bytea[]) as n (partition, lookup)
        join subject_key k on k.partition = n.partition and k.lookup = n.lookup`,
      values: [
        partners.map(({ home }) => home),
        partners.map(({ uid }) => this.codec.lookupOf(taxpayer(uid, taxNumber))),
      ],
    });
  }
}
