import { IN_STREAM_INDEX } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

const PAGE = 20_000;

/**
 * Versions of every stream are 1, 2, 3 … Streams of transfers made at once have one event, and are not in the key: a
 * replay of transactions finds a second one. The database scans its key of (stream, version), a page at a time, and
 * returns only gaps. An event appended meanwhile follows those before it, so it causes no false finding.
 */
export async function checkStreams(database: Database, partition: number, findings: Findings): Promise<void> {
  let after: { stream: string; version: number } | undefined = { stream: '', version: 0 };
  while (after) {
    const values: unknown[] = [partition, after.stream, after.version];
    const gaps = await database.backgroundQuery<{ stream: string; version: number; expected: number }>({
      name: 'audit-stream-gaps',
      text: `
        with page as (
          select stream, version from event
          where partition = $1 and (stream, version) > ($2, $3) and ${IN_STREAM_INDEX}
          order by stream, version limit ${PAGE})
        select stream, version, expected
        from (
          select stream, version,
            lag(version, 1, case when stream = $2 then $3 else 0 end) over (partition by stream order by version) + 1 as expected
          from page) as numbered
        where version <> expected
        limit 100`,
      values,
    });
    for (const { stream, version, expected } of gaps) {
      findings.report({
        check: 'stream versions',
        partition,
        position: await positionOf(database, partition, stream, version),
        subject: `stream ${stream}`,
        field: 'version',
        expected: String(expected),
        found: String(version),
      });
    }
    after = await lastOfPage(database, values, findings);
  }
}

async function lastOfPage(database: Database, values: unknown[], findings: Findings) {
  const [end] = await database.backgroundQuery<{ stream: string; version: number; seen: number }>({
    name: 'audit-stream-page-end',
    text: `
      with page as (
        select stream, version from event
        where partition = $1 and (stream, version) > ($2, $3) and ${IN_STREAM_INDEX}
        order by stream, version limit ${PAGE})
      select stream, version, (select count(*)::int from page) as seen
      from page order by stream desc, version desc limit 1`,
    values,
  });
  findings.saw('stream versions', end?.seen ?? 0);
  return end?.seen === PAGE ? end : undefined;
}

async function positionOf(database: Database, partition: number, stream: string, version: number): Promise<bigint> {
  const [row] = await database.backgroundQuery<{ position: string }>({
    name: 'audit-stream-position',
    text: `
      select position from event
      where partition = $1 and stream = $2 and version = $3 and ${IN_STREAM_INDEX}`,
    values: [partition, stream, version],
  });
  return BigInt(row!.position);
}
