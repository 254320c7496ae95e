import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { newId, PersonalDataCodec, type Statement } from '../../event-store/index.js';
import { asRequestFault, Database, type PipelinedStatement } from '../../platform/database/index.js';
import type { CheckedLine } from '../reading/checked-lines.js';
import { readLines, writeLines } from './stored-line.js';

/** A request lasts half a minute, but the clock of the process that reads the file may be behind this one's. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** Whose lines, and the key that seals them. */
export interface InputOf {
  readonly partition: number;
  readonly file: string;
  readonly key: Buffer;
}

/** The lines of a file are not those that were accepted: somebody changed them in the database. */
export class LinesWereChanged extends Error {
  override readonly name = 'LinesWereChanged';
}

/** The lines that wait, sealed in chunks. They are deleted as they are run: then the log has what became of them. */
@Injectable()
export class FileInputs {
  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
  ) {}

  /** Chunks that follow each other. @returns the SHA-256 of each, sealed @throws DatabaseUnavailable */
  async addAll(
    { partition, file, key }: InputOf,
    first: number,
    chunks: readonly (readonly CheckedLine[])[],
  ): Promise<Buffer[]> {
    const sealed = chunks.map((lines, i) => this.codec.sealAt(placeOf(file, first + i), key, writeLines(lines)));
    await this.#ofUpload({
      name: 'payout-file-input-add',
      text: `
        insert into payout_file_input (partition, file_id, chunk, sealed)
        select $1, $2, $3 + n.number - 1, n.sealed from unnest($4::bytea[]) with ordinality as n (sealed, number)`,
      values: [partition, file, first, sealed],
    });
    return sealed.map(digestOf);
  }

  /**
   * What the acceptance of a file requires: its chunks may have been taken for abandoned ones, or be gone with a
   * standby that lagged.
   */
  all({ partition, file }: InputOf, chunks: number): Statement {
    return {
      name: 'payout-file-input-all',
      text: 'select 1 / (count(*) >= $3)::int from payout_file_input where partition = $1 and file_id = $2',
      values: [partition, file, chunks],
    };
  }

  /**
   * Chunks that follow each other, one for each digest, as far as they are those of the digests.
   * @throws LinesWereChanged where not even the first one is
   */
  async readAll(
    { partition, file, key }: InputOf,
    first: number,
    digests: readonly Buffer[],
  ): Promise<CheckedLine[][]> {
    const rows = await this.database.backgroundQuery<{ chunk: number; sealed: Buffer }>({
      name: 'payout-file-input-read',
      text: `
        select chunk, sealed from payout_file_input
        where partition = $1 and file_id = $2 and chunk >= $3 and chunk < $4`,
      values: [partition, file, first, first + digests.length],
    });
    const found = new Map(rows.map(({ chunk, sealed }) => [chunk, sealed]));
    const changed = digests.findIndex((digest, i) => {
      const sealed = found.get(first + i);
      return !sealed || !digestOf(sealed).equals(digest);
    });
    if (changed === 0) {
      const what = found.has(first) ? 'another one' : 'missing';
      throw new LinesWereChanged(`chunk ${first} of payout file ${file} is ${what}`);
    }
    const sound = changed < 0 ? digests : digests.slice(0, changed);
    return sound.map((_, i) => readLines(this.codec.openAt(placeOf(file, first + i), key, found.get(first + i)!)));
  }

  /** Of the chunks before this one; absent: of all. */
  async remove(partition: number, file: string, before?: number): Promise<void> {
    await this.database.backgroundQuery({
      name: 'payout-file-input-remove',
      text: `
        delete from payout_file_input
        where partition = $1 and file_id = $2 and chunk < coalesce($3::int, 2147483647)`,
      values: [partition, file, before ?? null],
    });
  }

  /**
   * Removes what files left that were never accepted, or have ended: of processes that died meanwhile, or never learned
   * whether theirs was accepted. One that was has a row from its commit on, long before it is that old.
   * @throws DatabaseUnavailable
   */
  async removeAbandoned(partition: number): Promise<void> {
    await this.#ofUpload({
      name: 'payout-file-input-abandoned',
      text: `
        delete from payout_file_input i
        where i.partition = $1 and i.file_id < $2::uuid and not exists (
          select from payout_file f where f.partition = $1 and f.id = i.file_id and f.ended_at is null)`,
      values: [partition, newId(partition, Date.now() - ABANDONED_MS)],
    });
  }

  /** A caller waits for these: they are answered as reads of requests are, though they use the background's pool. */
  async #ofUpload<R extends QueryResultRow>(statement: PipelinedStatement): Promise<R[]> {
    return this.database.backgroundQuery<R>(statement).catch((error: unknown) => {
      throw asRequestFault(error);
    });
  }
}

const placeOf = (file: string, chunk: number) => `payout-file|${file}|${chunk}`;

function digestOf(sealed: Buffer): Buffer {
  return createHash('sha256').update(sealed).digest();
}
