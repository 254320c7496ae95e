// By names, an older Node could not even say that it is too old: see `node-version.ts`.
import zlib from 'node:zlib';
import type { QueryResultRow } from 'pg';
import type { EventRow } from './leaf.js';

/** Data and metadata of an event: the exact bytes that were hashed. */
export type EventTexts = Pick<EventRow, 'data' | 'metadata'>;

/**
 * From so many events on, a commit's texts are carried together, as compressed values (docs/adr/0031). Fewer are hardly
 * smaller together, and stay readable by SQL.
 */
export const CARRIED_FROM = 8;
/** The last of so many events carries the texts of all: whoever reads one of them unpacks no more. */
export const CARRIED_AT_MOST = 64;

/** The default buffer is of 128 kB for each call: garbage that V8 counts. */
const PACKING = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 8 * 1024 };
/** Some kilobytes take gigabytes when they were made to. The largest commits have some megabytes. */
const UNPACKING = { chunkSize: 32 * 1024, maxOutputLength: 64 * 1024 * 1024 };

/** A value for each carrier: one text a line, as JSON that was written without white space has no line end. */
export function packTexts(events: readonly EventTexts[]): Buffer[] {
  const packed: Buffer[] = [];
  for (let i = 0; i < events.length; i += CARRIED_AT_MOST) {
    const carried = events.slice(i, i + CARRIED_AT_MOST);
    const lines = Buffer.from(carried.map(({ data, metadata }) => `${data}\n${metadata}`).join('\n'));
    packed.push(zlib.zstdCompressSync(lines, { ...PACKING, pledgedSrcSize: lines.length }));
  }
  return packed;
}

/** What cannot be unpacked has no texts: the hashes of its events do not fit then. */
export function unpackTexts(packed: Buffer): readonly string[] {
  try {
    return zlib.zstdDecompressSync(packed, UNPACKING).toString('utf8').split('\n');
  } catch {
    return [];
  }
}

/** The texts of rows that were read by a statement of `withTexts`. */
export class CarriedTexts {
  readonly #lines: Map<string, readonly string[]>;

  /**
   * @param rows all that the statement gave: carried texts are in one of the rows that they are of
   * @param known those that were read before, by the position of the event that carries them
   */
  constructor(rows: readonly QueryResultRow[], known: ReadonlyMap<string, readonly string[]> = new Map()) {
    this.#lines = new Map(known);
    for (const row of rows) {
      if (row.texts) this.#lines.set(carrierOf(row), unpackTexts(row.texts as Buffer));
    }
  }

  of(row: QueryResultRow): EventTexts {
    const ahead = row.ahead as number | null;
    if (ahead === null) {
      // Empty where somebody dropped the constraint: as above, no hash fits then.
      return { data: (row.data as string | null) ?? '', metadata: (row.metadata as string | null) ?? '' };
    }
    const lines = this.#lines.get(carrierOf(row)) ?? [];
    const at = lines.length - 2 * (ahead + 1);
    return { data: lines[at] ?? '', metadata: lines[at + 1] ?? '' };
  }
}

/** The position of the event that carries the texts of another's row, which has none itself. */
export function carrierOf({ position, ahead }: QueryResultRow): string {
  return ahead === 0 ? (position as string) : String(BigInt(position as string) + BigInt(ahead as number));
}

/**
 * SQL: the events of a query, in the order of their positions, with what `CarriedTexts` needs: of those with one
 * carrier one row has its texts.
 * @param page a query of one partition's events, `$1`, that gives `EVENT_COLUMNS` and whatever else
 */
export function withTexts(page: string): string {
  return `
    select r.*, case
        when r.ahead is not null
          and lead(r.position + r.ahead) over (order by r.position) is distinct from r.position + r.ahead
        then (select c.texts from event c where c.partition = $1 and c.position = r.position + r.ahead)
      end as texts
    from (${page}) r
    order by r.position`;
}
