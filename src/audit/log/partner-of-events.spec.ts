import { expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/index.js';
import { PartnerOfEvents } from './partner-of-events.js';

/** More streams than it remembers. */
const STREAMS = 12_000;
const PAGE = 1_000;

/** An event that does not name its partner. */
const of = (stream: string) => ({ stream, type: 'PayoutFileLinesRun', data: '{}', metadata: '{}' });

/** A log in which the first event of every stream names a partner: `p-` and the stream. */
function partners() {
  const firstOf = (stream: string) => ({
    ...{ partition: 1, position: '1', event_id: stream, stream, version: 1, type: 'PayoutFileAccepted' },
    ...{ schema_version: 1, time: new Date(), leaf: Buffer.alloc(32), ahead: null, metadata: '{}' },
    data: JSON.stringify({ partnerUid: `p-${stream}` }),
  });
  const query = async ({ values }: { values: [number, readonly string[]] }) => values[1].map(firstOf);
  return new PartnerOfEvents({ query } as unknown as Database);
}

it('knows the partner of a stream that it has met before, also where it gives up what it remembers', async () => {
  const events = partners();
  for (let i = 0; i < STREAMS; i += PAGE) {
    const page = ['file', ...Array.from({ length: PAGE - 1 }, (_, k) => `stream-${i + k}`)];
    expect(await events.of(1, page.map(of))).toEqual(page.map((stream) => `p-${stream}`));
  }
});

it('knows it where others that ask meanwhile have it give up what it remembers', async () => {
  const events = partners();
  await events.of(1, [of('file')]);
  const asked = events.of(1, [of('file'), of('another')]);
  const others = events.of(
    1,
    Array.from({ length: STREAMS }, (_, i) => of(`stream-${i}`)),
  );
  expect(await asked).toEqual(['p-file', 'p-another']);
  await others;
});
