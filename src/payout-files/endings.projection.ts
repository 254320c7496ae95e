import type { PoolClient } from 'pg';
import {
  type AddedTables,
  type AsyncProjection,
  checkpointOf,
  digestOf,
  type RecordedEvent,
} from '../event-store/index.js';
import { CashOutCompleted, CashOutErrored, CashOutReversed } from '../pix/index.js';

/** A payout of a file ended. */
interface Ending {
  readonly position: bigint;
  readonly file: string;
  readonly state: string;
  /** Centavos. */
  readonly amount: bigint;
}

const NAME = 'payout-file-endings';
const COUNTS = 'payout_file_ending.count';
const AMOUNTS = 'payout_file_ending.amount';

function endingsOf(event: RecordedEvent): Ending[] {
  const { position } = event;
  if (CashOutCompleted.is(event)) {
    const { payoutFile: file, amount } = event.data;
    return file ? [{ position, file, state: 'Completed', amount: BigInt(amount) }] : [];
  }
  if (!CashOutErrored.is(event) && !CashOutReversed.is(event)) return [];
  const { payoutFile: file, amount } = event.data;
  const state = CashOutErrored.is(event) ? 'Error' : 'Reversed';
  return file ? [{ position, file, state, amount: BigInt(amount!) }] : [];
}

const adds: AddedTables<Ending> = {
  sums: [COUNTS, AMOUNTS],
  readTables: (partition, key) => ({
    name: 'payout-file-ending-sums',
    text: `
      select ${checkpointOf(NAME)} as position,
        coalesce(sum(digest * count), 0)::text as "${COUNTS}", coalesce(sum(digest * amount), 0)::text as "${AMOUNTS}"
      from (
        select count, amount, ${digestOf(`file_id::text || '/' || state`)} as digest
        from payout_file_ending where partition = $1) as d`,
    values: [partition, key],
  }),
  adding: (add) => ({
    take: ({ file, state, amount }) => {
      add(COUNTS, `${file}/${state}`, 1n);
      add(AMOUNTS, `${file}/${state}`, amount);
      return true;
    },
    fold: { name: NAME, keysOf: () => [], evolve: () => undefined },
    finish: () => undefined,
  }),
};

/** How many payouts of each file ended, and how: a file's progress costs one row a state, however many lines it has. */
export const endingsProjection: AsyncProjection<Ending> = {
  name: NAME,
  tables: ['payout_file_ending'],
  handles: new Set([CashOutCompleted.type, CashOutErrored.type, CashOutReversed.type]),
  rowsOf: endingsOf,
  adds,

  // What the rows count is compared as a sum; here, only that they exist.
  compare: (partition, endings) => ({
    name: 'payout-file-ending-compare',
    text: `
      select n.position::text, n.file::text || '/' || n.state as key, 'row' as field, 'a row' as expected,
        null::text as found
      from unnest($2::bigint[], $3::uuid[], $4::text[]) as n (position, file, state)
      left join payout_file_ending e on e.partition = $1 and e.file_id = n.file and e.state = n.state
      where e.file_id is null`,
    values: [
      partition,
      endings.map(({ position }) => position),
      endings.map(({ file }) => file),
      endings.map(({ state }) => state),
    ],
  }),
  count: (partition) => ({
    name: 'payout-file-ending-count',
    text: `
      select 0 as counted, count(*)::int as seen, null::bigint as newest, null::text as last
      from payout_file_ending where partition = $1`,
    values: [partition],
  }),

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const endings = events.flatMap(endingsOf);
    if (endings.length === 0) return;
    const sums = [...Map.groupBy(endings, ({ file, state }) => `${file}/${state}`).values()];
    await client.query({
      name: 'payout-file-ending-add',
      text: `
        insert into payout_file_ending (partition, file_id, state, count, amount)
        select $1, n.file, n.state, n.count, n.amount
        from unnest($2::uuid[], $3::text[], $4::bigint[], $5::numeric[]) as n (file, state, count, amount)
        on conflict (partition, file_id, state) do update
        set count = payout_file_ending.count + excluded.count, amount = payout_file_ending.amount + excluded.amount`,
      values: [
        partition,
        sums.map(([one]) => one!.file),
        sums.map(([one]) => one!.state),
        sums.map((ended) => ended.length),
        sums.map((ended) => ended.reduce((total, { amount }) => total + amount, 0n)),
      ],
    });
  },
};
