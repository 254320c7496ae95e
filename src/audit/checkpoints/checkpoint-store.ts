import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../platform/database/index.js';

/** A signed checkpoint as the database keeps it. */
export interface StoredCheckpoint {
  readonly partition: number;
  readonly size: bigint;
  readonly root: Buffer;
  readonly note: string;
  readonly signedAt: Date;
}

interface Row {
  readonly partition: number;
  readonly size: string;
  readonly root: Buffer;
  readonly note: string;
  readonly signed_at: Date;
}

const COLUMNS = 'partition, size, root, note, signed_at';

const parse = (row: Row): StoredCheckpoint => ({
  partition: row.partition,
  size: BigInt(row.size),
  root: row.root,
  note: row.note,
  signedAt: row.signed_at,
});

/** The signed checkpoints in the database. */
@Injectable()
export class CheckpointStore {
  constructor(private readonly database: Database) {}

  async newest(partition: number, database: Queryable = this.database): Promise<StoredCheckpoint | undefined> {
    const [row] = await database.query<Row>({
      name: 'checkpoint-newest',
      text: `select ${COLUMNS} from checkpoint where partition = $1 order by size desc limit 1`,
      values: [partition],
    });
    return row && parse(row);
  }

  /** The newest checkpoint of every partition that has one. */
  async newestOfAll(): Promise<StoredCheckpoint[]> {
    const rows = await this.database.query<Row>({
      name: 'checkpoint-newest-of-all',
      text: `
        select c.partition, c.size, c.root, c.note, c.signed_at
        from log_head h
        cross join lateral (
          select ${COLUMNS} from checkpoint where partition = h.partition order by size desc limit 1) c
        order by c.partition`,
    });
    return rows.map(parse);
  }

  async ofSize(partition: number, size: bigint): Promise<StoredCheckpoint | undefined> {
    const [row] = await this.database.query<Row>({
      name: 'checkpoint-of-size',
      text: `select ${COLUMNS} from checkpoint where partition = $1 and size = $2`,
      values: [partition, size],
    });
    return row && parse(row);
  }

  /** Checkpoints of trees larger than `size`, smallest first. */
  async after(partition: number, size: bigint, limit: number): Promise<StoredCheckpoint[]> {
    const rows = await this.database.query<Row>({
      name: 'checkpoint-after',
      text: `select ${COLUMNS} from checkpoint where partition = $1 and size > $2 order by size limit $3`,
      values: [partition, size, limit],
    });
    return rows.map(parse);
  }

  /** Adds a checkpoint, unless another process has signed one of that size first. */
  async add({ partition, size, root, note, signedAt }: StoredCheckpoint): Promise<void> {
    await this.database.backgroundQuery({
      name: 'checkpoint-add',
      text: `
        insert into checkpoint (${COLUMNS}) values ($1, $2, $3, $4, $5)
        on conflict (partition, size) do nothing`,
      values: [partition, size, root, note, signedAt],
    });
  }
}
