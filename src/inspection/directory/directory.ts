import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../auth/index.js';
import { type PartitionAnswers, Partitions, PersonalDataCodec } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { hashOf, tailOf } from './directory.projection.js';
import type { DirectoryKind } from './words.js';

/** An entity found in the directory. */
export interface DirectoryEntry {
  readonly kind: DirectoryKind;
  readonly uid: string;
  readonly partnerUid: string;
}

/** Rows of the first term examined in a partition, for those that match the others too. */
const MAX_EXAMINED = 4_000;

/** Finds partners, accounts and access keys, each by keyed reads of its partition. */
@Injectable()
export class Directory {
  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
    private readonly partitions: Partitions,
  ) {}

  /** Entities that match all terms; the longest, which is likely the rarest, comes first. */
  async find(
    { partnerUid }: Viewer,
    terms: readonly string[],
    limit: number,
  ): Promise<PartitionAnswers<readonly DirectoryEntry[]>> {
    const inOrder = [...terms].sort((a, b) => b.length - a.length);
    return this.#having(
      partnerUid,
      inOrder.map((term) => hashOf(this.codec, term)),
      limit,
    );
  }

  /** Entities by the tail of their identifier. */
  async endingIn(
    { partnerUid }: Viewer,
    tail: string,
    limit: number,
  ): Promise<PartitionAnswers<readonly DirectoryEntry[]>> {
    return this.#having(partnerUid, [tailOf(tail)], limit);
  }

  async #having(partnerUid: string | null, [first, ...others]: readonly Buffer[], limit: number) {
    if (!first) return { found: [], away: [] };
    return this.partitions.ask(this.partitions.all(), (partition) =>
      this.database.query<DirectoryEntry & Record<string, unknown>>({
        name: partnerUid === null ? 'directory-find' : 'directory-find-of-partner',
        text: `
          select l.kind, l.uid, l.partner_uid as "partnerUid"
          from (
            select kind, uid, partner_uid from directory_word
            where partition = $1 and word = $2 ${partnerUid === null ? '' : 'and partner_uid = $5'}
            order by partner_uid, uid limit ${MAX_EXAMINED}) l
          where (
            select count(*) from unnest($3::bytea[]) as o (word)
            join directory_word w on w.partition = $1 and w.word = o.word and w.partner_uid = l.partner_uid
              and w.uid = l.uid) = cardinality($3::bytea[])
          limit $4`,
        values: [partition, first, others, limit, ...(partnerUid === null ? [] : [partnerUid])],
      }),
    );
  }
}
