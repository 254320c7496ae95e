import { zstdDecompressSync } from 'node:zlib';

export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

interface Carrier extends Record<string, unknown> {
  readonly partition: number;
  readonly position: string;
  readonly texts: Buffer;
}

/** Commits at a time: one of a batch of 500 has 400 kB of texts. */
const PAGE = 200;

/**
 * Makes `told.event`, a copy of the log in which each event has its own texts: SQL cannot read those that the last
 * event of a commit carries. It reads them without the service's code.
 */
export async function tellEvents(database: { readonly query: Query }): Promise<void> {
  await database.query('drop schema if exists told cascade');
  await database.query('create schema told');
  await database.query('create table told.event as select * from event');
  await database.query('create index on told.event (partition, position)');
  for (let read = 0; ; read += PAGE) {
    const carriers = (await database.query(
      `select partition, position, texts from told.event where texts is not null
       order by partition, position offset $1 limit ${PAGE}`,
      [read],
    )) as Carrier[];
    const told = carriers.flatMap(({ partition, position, texts }) => {
      const lines = zstdDecompressSync(texts).toString().split('\n');
      const first = BigInt(position) - BigInt(lines.length / 2 - 1);
      return Array.from({ length: lines.length / 2 }, (_, i) => ({
        partition,
        position: String(first + BigInt(i)),
        data: lines[2 * i],
        metadata: lines[2 * i + 1],
      }));
    });
    await database.query(
      `update told.event e set data = n.data::json, metadata = n.metadata::json
       from unnest($1::int[], $2::bigint[], $3::text[], $4::text[]) as n (partition, position, data, metadata)
       where e.partition = n.partition and e.position = n.position`,
      [
        told.map(({ partition }) => partition),
        told.map(({ position }) => position),
        told.map(({ data }) => data),
        told.map(({ metadata }) => metadata),
      ],
    );
    if (carriers.length < PAGE) return;
  }
}
