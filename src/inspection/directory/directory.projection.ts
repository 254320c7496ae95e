import type { PoolClient } from 'pg';
import {
  type AsyncProjection,
  type PersonalDataCodec,
  type RecordedEvent,
  SubjectForgotten,
  type SubjectVault,
} from '../../event-store/index.js';
import { type Listed, LISTED_EVENTS, listedOf, termsOf } from './words.js';

interface Row {
  readonly word: Buffer;
  readonly listed: Listed;
  readonly subject: string | null;
  /** Position of the event, in the row by the identifier's tail; `null` in the others. */
  readonly position: bigint | null;
}

/** The search key of an identifier's tail: its bytes. It is no secret, and verification needs no key for it. */
export function tailOf(uid: string): Buffer {
  return Buffer.from(uid.slice(-12), 'hex');
}

/** The search key of a term: a keyed hash. */
export function hashOf(codec: PersonalDataCodec, term: string): Buffer {
  return codec.lookupOf({ clear: `directory|${term}` }).subarray(0, 16);
}

/**
 * Search index of partners, accounts and access keys, by keyed hashes: personal data is readable by its subject's key
 * only. The rows of a forgotten subject are deleted. Every entity has one row without a subject, by the tail of its
 * identifier: verification compares that one with the log.
 */
export function directoryProjection(vault: SubjectVault, codec: PersonalDataCodec): AsyncProjection<Listed> {
  return {
    name: 'directory',
    tables: ['directory_word'],
    opens: true,
    handles: new Set([...LISTED_EVENTS.map(({ type }) => type), SubjectForgotten.type]),
    rowsOf: listedOf,

    compare: (partition, rows) => ({
      name: 'directory-compare',
      text: `
        select n.position::text, n.uid::text as key, d.field, d.expected, d.found
        from unnest($2::uuid[], $3::bytea[], $4::uuid[], $5::text[], $6::bigint[])
          as n (uid, word, partner_uid, kind, position)
        left join directory_word w on w.partition = $1 and w.word = n.word and w.partner_uid = n.partner_uid
          and w.uid = n.uid
        cross join lateral (
          values ('uid', n.uid::text, w.uid::text), ('kind', n.kind, w.kind),
            ('position', n.position::text, w.position::text), ('subject', null, w.subject::text)) as d (field, expected, found)
        where d.expected is distinct from d.found`,
      values: [
        partition,
        rows.map(({ uid }) => uid),
        rows.map(({ uid }) => tailOf(uid)),
        rows.map(({ partnerUid }) => partnerUid),
        rows.map(({ kind }) => kind),
        rows.map(({ position }) => position),
      ],
    }),

    count: (partition, afterKey, upTo, limit) => ({
      name: 'directory-count',
      text: `
        with page as (
          select uid, position from directory_word
          where partition = $1 and position is not null
            and uid > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
          order by uid limit $4)
        select (count(*) filter (where position <= $3))::int as counted, count(*)::int as seen, max(position) as newest,
          (select uid::text from page order by uid desc limit 1) as last
        from page`,
      values: [partition, afterKey, upTo, limit],
    }),

    async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
      const listed = events.flatMap(listedOf);
      const named = listed.filter(({ holder }) => holder !== null);
      const holders = await vault.openAll(
        partition,
        named.map(({ holder }) => holder!),
      );
      const holderOf = new Map(named.map(({ uid }, i) => [uid, holders[i]]));
      const rows = listed.flatMap((one): Row[] => [
        { word: tailOf(one.uid), listed: one, subject: null, position: one.position },
        ...termsOf(holderOf.get(one.uid) ?? { name: one.label }).map((term) => ({
          word: hashOf(codec, term),
          listed: one,
          subject: one.holder?.subject ?? null,
          position: null,
        })),
      ]);
      await add(client, partition, rows);
      // After the insert: this also deletes rows that this batch added for a subject that it forgets.
      const forgotten = events.filter((event) => SubjectForgotten.is(event)).map(({ data }) => data.subject);
      await remove(client, partition, forgotten);
    },
  };
}

async function add(client: PoolClient, partition: number, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: 'directory-add',
    text: `
      insert into directory_word (partition, word, partner_uid, uid, kind, subject, position)
      select $1, n.word, n.partner_uid, n.uid, n.kind, n.subject, n.position
      from unnest($2::bytea[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::bigint[])
        as n (word, partner_uid, uid, kind, subject, position)
      on conflict (partition, word, partner_uid, uid) do nothing`,
    values: [
      partition,
      rows.map(({ word }) => word),
      rows.map(({ listed }) => listed.partnerUid),
      rows.map(({ listed }) => listed.uid),
      rows.map(({ listed }) => listed.kind),
      rows.map(({ subject }) => subject),
      rows.map(({ position }) => position),
    ],
  });
}

async function remove(client: PoolClient, partition: number, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  await client.query({
    name: 'directory-forget',
    text: 'delete from directory_word where partition = $1 and subject = any($2::uuid[])',
    values: [partition, subjects],
  });
}
