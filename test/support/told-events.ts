import { zstdDecompressSync } from 'node:zlib';

export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

interface Row extends Record<string, unknown> {
  readonly partition: number;
  readonly position: string;
  readonly ahead: number;
  readonly texts: Buffer;
}

/**
 * Makes `told.event`, a copy of the log in which each event has its own texts: SQL cannot read those that the last event
 * of a commit carries. It reads them without the service's code.
 */
export async function tellEvents(database: { readonly query: Query }): Promise<void> {
  await database.query('drop schema if exists told cascade');
  await database.query('create schema told');
  await database.query('create table told.event as select * from event');
  const rows = (await database.query(
    `select e.partition, e.position, e.ahead, c.texts
     from event e join event c on c.partition = e.partition and c.position = e.position + e.ahead
     where e.ahead is not null`,
  )) as Row[];
  for (const [partition, its] of Map.groupBy(rows, (row) => row.partition)) {
    const told = its.map(({ ahead, texts }) => {
      const lines = zstdDecompressSync(texts).toString().split('\n');
      return lines.slice(lines.length - 2 * ahead - 2, lines.length - 2 * ahead);
    });
    await database.query(
      `update told.event e set data = n.data::json, metadata = n.metadata::json
       from unnest($2::bigint[], $3::text[], $4::text[]) as n (position, data, metadata)
       where e.partition = $1 and e.position = n.position`,
      [
        partition,
        its.map(({ position }) => position),
        told.map(([data]) => data),
        told.map(([, metadata]) => metadata),
      ],
    );
  }
}
