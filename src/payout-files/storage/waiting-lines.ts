import type { KeptRow, KeptRows, RecordedEvent } from '../../event-store/index.js';
import { PayoutFileAccepted } from '../domain/payout-file.events.js';
import { readDigests } from './chunk-digests.js';

/**
 * For verification: the lines that wait are those that were accepted. Chunks that were run are deleted, and what is
 * stored for files that were never accepted is read by nobody.
 */
export const waitingLines: KeptRows = {
  name: 'waiting lines of payout files',
  expected: (_run, _partition, events) => Promise.resolve(events.flatMap(waitingOf)),
  sourceOf: (event) => (PayoutFileAccepted.is(event) ? `payoutFiles ${event.data.id}` : undefined),

  load: (partition, keys) => ({
    name: 'payout-file-input-kept',
    text: `
      select k.key, encode(sha256(i.sealed), 'base64') as digest
      from unnest($2::text[]) as k (key)
      join payout_file f on f.partition = $1 and f.id = split_part(k.key, '/', 1)::uuid
      left join payout_file_input i on i.partition = $1 and i.file_id = split_part(k.key, '/', 1)::uuid
        and i.chunk = split_part(k.key, '/', 2)::int
      where i.file_id is not null or f.ended_at is not null or f.run > split_part(k.key, '/', 2)::int`,
    values: [partition, keys],
  }),
  // Of a chunk that was run nothing is left to compare.
  parse: ({ key, ...found }) => ({
    key: key as string,
    fields: found.digest === null ? {} : found,
  }),

  count: (partition) => ({
    name: 'payout-file-input-count',
    text: `
      select 0 as counted, count(*)::int as seen, null::bigint as newest, null::text as last
      from payout_file_input where partition = $1`,
    values: [partition],
  }),
};

function waitingOf(event: RecordedEvent): KeptRow[] {
  if (!PayoutFileAccepted.is(event)) return [];
  const { id, chunkDigests } = event.data;
  return readDigests(chunkDigests).map((digest, chunk) => ({
    key: `${id}/${chunk}`,
    position: event.position,
    fields: { digest: digest.toString('base64') },
  }));
}
