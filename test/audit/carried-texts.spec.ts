import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { WholeStreams } from '../../src/event-store/index.js';
import { Database } from '../../src/platform/database/index.js';
import { PartnerApi, type TestPartner } from '../support/api.js';
import { copyForEach, type LedgerCopy, makeLedger } from '../support/ledger-fixture.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';
import { tellEvents } from '../support/told-events.js';

/**
 * The last event of a commit of many carries the texts of all (docs/adr/0031), of 64 at most. Single events stand
 * before and after them, as older versions wrote all.
 */
const ITEMS = 20;
const BATCHES = 6;
/** Comes after those. */
const LARGE = 130;

let copy: LedgerCopy;
let partition: number;

async function batches(url: string, partner: TestPartner): Promise<void> {
  const api = await PartnerApi.login(url, partner.credentials);
  for (const [batch, length] of [...Array<number>(BATCHES).fill(ITEMS), LARGE].entries()) {
    const items = Array.from({ length }, (_, i) => ({
      idempotencyKey: `item-${batch}-${i}`,
      refAccountCredit: partner.accounts[1 + (i % 2)],
      transferAmount: `1.${10 + (i % 90)}`,
      ...(i % 5 === 0 && { transferDescription: `Aluguel de ${i} ✓` }),
    }));
    const { status, body } = await api.post('/accounts/transfers/batch', { mode: 'atomic', items });
    if (status !== 200 || body.data.counts.done !== length) throw new Error(JSON.stringify(body));
  }
}

copyForEach(
  (given) => ({ copy, partition } = given),
  () => makeLedger('carried-texts', batches),
);

/** Positions of the events that carry the texts of others. */
const carriers = async () =>
  (
    await copy.query('select position from event where partition = $1 and ahead = 0 order by position', [partition])
  ).map(({ position }) => Number(position));

const found = async () => {
  const { code, report } = await copy.verify('--deep');
  return { code, found: report.divergences.map(({ check, position }: any) => `${check} ${position}`) };
};

/** Changes the texts that an event carries, as one who knows the format. */
async function rewrite(position: number, change: (lines: string[]) => string[]): Promise<void> {
  const [row] = await copy.query('select texts from event where partition = $1 and position = $2', [
    partition,
    position,
  ]);
  const lines = change(
    zstdDecompressSync(row!.texts as Buffer)
      .toString()
      .split('\n'),
  );
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
  await asOwner(copy, [
    'update event set texts = $3 where partition = $1 and position = $2',
    [partition, position, zstdCompressSync(lines.join('\n'), options)],
  ]);
}

describe('texts that one event carries for its commit', () => {
  it('are those of all events of each batch, of 64 at most, and take less than half of their bytes', async () => {
    const positions = await carriers();
    const [first] = positions as [number];
    const ends = [
      ...Array.from({ length: BATCHES }, (_, i) => (i + 1) * ITEMS),
      ...[64, 128, LARGE].map((n) => BATCHES * ITEMS + n),
    ];
    expect(positions).toEqual(ends.map((end) => first - ITEMS + end));
    await tellEvents(copy);
    const [sizes] = await copy.query(
      `select count(*)::int as events, sum(length(e.texts)) as carried,
         sum(length(t.data::text) + length(t.metadata::text)) as told
       from event e join told.event t using (partition, position) where e.ahead is not null`,
    );
    expect(sizes!.events).toBe(BATCHES * ITEMS + LARGE);
    expect(Number(sizes!.carried)).toBeLessThan(Number(sizes!.told) / 2);
    const [differs] = await copy.query(
      `select count(*)::int as n from event e join told.event t using (partition, position)
       where e.ahead is not null and (t.data ->> 'id') <> substr(e.stream, length('transfer-') + 1)`,
    );
    expect(differs!.n).toBe(0);
  });

  it('are verified, and rebuilt as the others', async () => {
    await copy.query('delete from entry where partition = $1', [partition]);
    await copy.query('update account set available = available + 1 where partition = $1', [partition]);
    await copy.query('update transaction set entry = entry + 1, balance = 0 where partition = $1', [partition]);
    expect((await copy.ledger(['rebuild'])).code).toBe(0);
    expect(await found()).toEqual({ code: 0, found: [] });
  });

  it('are exported as the others', async () => {
    const { code, stdout } = await copy.ledger(['export']);
    expect(code).toBe(0);
    const file = join(copy.dataDir, 'export.ndjson');
    await writeFile(file, stdout);
    expect(spawnSync('python3', ['test/oracles/export.py', file], { encoding: 'utf8' }).status).toBe(0);
    const own = stdout.split('\n').filter((line) => line.includes(`"kind":"event","partition":${partition},`));
    expect(own.length).toBeGreaterThan(BATCHES * ITEMS + LARGE);
  });

  it('are read in the middle of a commit', async () => {
    const [, second] = await carriers();
    const at = second! - 7;
    const [event] = await copy.query('select stream from event where partition = $1 and position = $2', [
      partition,
      at,
    ]);
    const id = String(event!.stream).slice('transfer-'.length);
    const { stdout } = await copy.ledger(['replay', 'transaction', id, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ position: String(at), event: 'TransferSettled' }]);
    const args = ['replay', 'balances', '--partition', String(partition), '--position', String(at), '--format', 'json'];
    expect((await copy.ledger(args)).code).toBe(0);
  });

  it('are read again once an operator has put them right', async () => {
    const [carrier] = (await carriers()) as [number];
    const setTexts = (texts: unknown) =>
      asOwner(copy, [
        'update event set texts = $3 where partition = $1 and position = $2',
        [partition, carrier, texts],
      ]);
    const sql = 'select texts from event where partition = $1 and position = $2';
    const [row] = await copy.query(sql, [partition, carrier]);
    const database = new Database(copy.url, () => undefined);
    const streams = new WholeStreams(database);
    const read = () => streams.readMany(partition, [], [BigInt(carrier - 1)]);
    try {
      await setTexts(Buffer.of(0));
      await expect(read()).rejects.toThrow(SyntaxError);
      await setTexts(row!.texts);
      expect([...(await read()).values()]).toMatchObject([{ type: 'TransferSettled', partition }]);
    } finally {
      await database.close();
    }
  });

  it('are kept from change as all of an event', async () => {
    await expect(copy.query(`update event set texts = null where ahead = 0`)).rejects.toThrow(/append-only/);
    await copy.query('alter table event disable trigger all');
    await expect(copy.query('update event set texts = null where ahead = 0')).rejects.toThrow(/event_has_texts/);
    await expect(copy.query(`update event set data = '{}' where ahead = 0`)).rejects.toThrow(/event_has_texts/);
    await expect(copy.query('update event set ahead = 0 where ahead = 1')).rejects.toThrow(/event_has_texts/);
    await copy.query('alter table event enable trigger all');
  });
});

describe('ledger verify finds in them', () => {
  it('changed bytes of data and metadata, texts exchanged, left out, none at all, and of another event', async () => {
    const [data, metadata, exchanged, fewer, none, another] = (await carriers()) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    await rewrite(data, (lines) => lines.with(-10, lines.at(-10)!.replace('"amount":"', '"amount":"9')));
    await rewrite(metadata, (lines) => lines.with(-3, lines.at(-3)!.replace('access-key:', 'access-kez:')));
    await rewrite(exchanged, (lines) => [...lines.slice(0, -4), ...lines.slice(-2), ...lines.slice(-4, -2)]);
    await rewrite(fewer, (lines) => lines.slice(2));
    await asOwner(
      copy,
      [`update event set texts = '\\x00' where partition = $1 and position = $2`, [partition, none]],
      ['update event set ahead = 3 where partition = $1 and position = $2', [partition, another - 2]],
    );
    const { code, found: faults } = await found();
    expect(code).toBe(1);
    const ofNone = Array.from({ length: ITEMS }, (_, i) => none - i);
    const leaves = [data - 4, metadata - 1, exchanged - 1, exchanged, fewer - ITEMS + 1, ...ofNone, another - 2];
    expect(faults.filter((one: string) => one.startsWith('leaf hashes')).sort()).toEqual(
      leaves.map((position) => `leaf hashes ${position}`).sort(),
    );
  });

  it('texts that fill the memory when they are unpacked', async () => {
    const [bomb] = (await carriers()) as [number];
    const texts = zstdCompressSync(Buffer.alloc(1024 ** 3));
    await asOwner(copy, [
      'update event set texts = $3 where partition = $1 and position = $2',
      [partition, bomb, texts],
    ]);
    const { code, found: faults } = await found();
    expect(code).toBe(1);
    expect(faults.filter((one: string) => one.startsWith('leaf hashes'))).toHaveLength(ITEMS);
  });

  it('what was forged with all hashes: a balance, a second event of a transfer, which no index keeps out', async () => {
    const [first] = await carriers();
    await rewrite(first!, (lines) => lines.with(-2, lines.at(-2)!.replace('"balance":"', '"balance":"1')));
    const { position } = (
      await copy.query('select max(position)::int as position from event where partition = $1', [partition])
    )[0] as { position: number };
    await asOwner(copy, [
      `insert into event (partition, position, event_id, stream, version, type, schema_version, time, data, metadata, leaf)
       select partition, position + 1, gen_random_uuid(), stream, version, type, schema_version, time, data, metadata, leaf
       from event where partition = $1 and position = $2`,
      [partition, position],
    ]);
    await recomputeHashes(copy, partition);
    const { code, found: faults } = await found();
    expect(code).toBe(1);
    expect(faults).toEqual(expect.arrayContaining([`account numbering ${first}`, `replay ${position + 1}`]));
  });
});
