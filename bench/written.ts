import pg from 'pg';

/** Records of one kind that a relation has in the write-ahead log. Bytes without page images. */
export interface WrittenKind {
  readonly relation: string;
  /** As PostgreSQL names it: resource manager and type, `Heap INSERT`. */
  readonly kind: string;
  readonly records: number;
  readonly bytes: number;
  readonly imageBytes: number;
}

const OF_TRANSACTIONS = 'begin, commit';

/**
 * Reads what was written to the log of PostgreSQL for one database, whatever else the server does: records that touch a
 * block of this database, and the commits of their transactions. By `pg_walinspect` of PostgreSQL 16 or later, as its
 * superuser.
 */
export class WrittenLog {
  readonly #client: pg.Client;
  #from: string;

  private constructor(client: pg.Client, from: string) {
    this.#client = client;
    this.#from = from;
  }

  static async open(url: string): Promise<WrittenLog> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create extension if not exists pg_walinspect');
    return new WrittenLog(client, await placeOf(client));
  }

  /** What follows is counted from here. */
  async start(): Promise<void> {
    this.#from = await placeOf(this.#client);
  }

  async read(): Promise<WrittenKind[]> {
    const { rows } = await this.#client.query<Record<string, string>>({
      text: `
        with touched as materialized (
          select distinct on (start_lsn) start_lsn, reltablespace, relfilenode
          from pg_get_wal_block_info($1, $2, false)
          where reldatabase = (select oid from pg_database where datname = current_database())
          order by start_lsn, block_id
        ), record as materialized (
          select start_lsn, xid::text as xid, resource_manager || ' ' || record_type as kind,
            record_length - fpi_length as bytes, fpi_length as image_bytes
          from pg_get_wal_records_info($1, $2)
        ), own as (
          select distinct xid from record join touched using (start_lsn) where xid <> '0'
        )
        select coalesce(whole.relname, of.relname, '${OF_TRANSACTIONS}') as relation, kind, count(*) as records,
          sum(bytes) as bytes, sum(image_bytes) as image_bytes
        from record
        left join touched using (start_lsn)
        left join pg_class of on of.oid = pg_filenode_relation(touched.reltablespace, touched.relfilenode)
        left join pg_class whole on whole.reltoastrelid = of.oid
        where touched.start_lsn is not null or xid in (select xid from own)
        group by 1, 2 order by 1, 2`,
      values: [this.#from, await placeOf(this.#client)],
    });
    return rows.map(({ relation, kind, records, bytes, image_bytes }) => ({
      relation: relation!,
      kind: kind!,
      records: Number(records),
      bytes: Number(bytes),
      imageBytes: Number(image_bytes),
    }));
  }

  /** Whether the consumers have seen every event of the ledger. */
  async isFollowedBy(...consumers: string[]): Promise<boolean> {
    const { rows } = await this.#client.query<{ left: string }>({
      text: `
        select count(*) as left from log_head h cross join unnest($1::text[]) as c (consumer)
        left join subscription s using (partition, consumer)
        where h.position > coalesce(s.position, 0)`,
      values: [consumers],
    });
    return rows[0]!.left === '0';
  }

  async query(text: string): Promise<void> {
    await this.#client.query(text);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** Where the log ends on disk. The own commits are there, as they are synchronous. */
async function placeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ place: string }>('select pg_current_wal_flush_lsn() as place');
  return rows[0]!.place;
}

/** A page of an index is split, or a page is tidied up: a record of hundreds of bytes, once in many requests. */
const UPKEEP = /SPLIT|INSERT_UPPER|NEWROOT|PRUNE|DEDUP|VACUUM|FPI/;
const ROW = /^Heap2? (INSERT|MULTI_INSERT|UPDATE|HOT_UPDATE|DELETE)/;
const INDEX_ENTRY = /^(Btree (INSERT|SPLIT)|Hash (INSERT|SPLIT)|BRIN (INSERT|SAMEPAGE_UPDATE|UPDATE))/;

export const isRow = ({ kind }: WrittenKind) => ROW.test(kind);
export const isIndexEntry = ({ kind }: WrittenKind) => INDEX_ENTRY.test(kind);
export const isUpkeep = ({ kind }: WrittenKind) => UPKEEP.test(kind);
