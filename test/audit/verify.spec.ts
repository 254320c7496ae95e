import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { payTwice } from '../support/pay-twice.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;

copyForEach((given) => ({ ledger, copy, partition } = given));

/** Another actor of an event, with hashes that fit. @returns its position */
async function rewriteHistory(): Promise<number> {
  const position = await copy.transferAt(2);
  await asOwner(copy, [
    `update event set metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json where partition = $1 and position = $2`,
    [partition, position],
  ]);
  await recomputeHashes(copy, partition);
  await copy.query('delete from tree_node');
  return position;
}

describe('ledger verify', () => {
  it('finds nothing in an untouched ledger, reports it to people and as JSON, and works without write access', async () => {
    await copy.query(`alter database ${new URL(copy.url).pathname.slice(1)} set default_transaction_read_only = on`);
    const file = join(copy.dataDir, 'report.json');
    const { code, stdout } = await copy.ledger(['verify', '--output', file]);
    expect(stdout).toContain('OK: nothing diverges');
    expect(stdout).toContain(`${ledger.size - ledger.sealed} events after the newest one`);
    expect(code).toBe(0);
    const report = JSON.parse(await readFile(file, 'utf8'));
    expect(report.ok).toBe(true);
    expect(report.divergences).toEqual([]);
    const own = report.partitions.find((one: any) => one.partition === partition);
    expect(own).toMatchObject({ events: String(ledger.size), sealed: String(ledger.sealed) });
    expect(report.examined).toMatchObject({
      // The partner's 25 transfers and two credits; two entries each.
      'sums of postings': 27,
      'rows of entries': 4,
      'rows of transactions': 25,
    });
    expect(report.examined['rows of idempotency']).toBe(13);
    expect(report.examined['checkpoint signatures']).toBeGreaterThan(1);
  });

  it('tells of a server, or a URL, by whose settings triggers do not fire, or commits do not wait for the disk', async () => {
    const withSetting = (setting: string) =>
      copy.ledger(['verify'], { DATABASE_URL: `${copy.url}?options=${encodeURIComponent(`-c ${setting}`)}` });
    const unsafe = await withSetting('synchronous_commit=off');
    expect(unsafe.stdout).toContain('WARNING: synchronous_commit is off on this server');
    expect(unsafe.code).toBe(0);
    const { code, stdout } = await withSetting('session_replication_role=replica');
    expect(stdout).toContain('session_replication_role=replica');
    expect(code).toBe(1);
  });

  it('spills to files without finding anything else', async () => {
    await asOwner(copy, [
      `update account set available = available + 1 where partition = $1 and uid = any($2::uuid[])`,
      [partition, ledger.partner.accounts],
    ]);
    const { report } = await copy.verify('--budget', '4');
    expect(report.divergenceCount).toBe(3);
    expect(report.divergences.map((one: any) => one.check)).toEqual(Array(3).fill('rows of accounts'));
  });
});

describe('ledger verify names the place of', () => {
  it('one changed byte of data, and of each changed column, and no other', async () => {
    const changes = [
      ['leaf hashes', `data = replace(data::text, '"amount":"', '"amount":"1')::json`],
      ['leaf hashes', `metadata = '{"actor":"nobody"}'`],
      ['times', `time = (time at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC'`],
      ['leaf hashes', 'schema_version = schema_version + 1'],
      ['leaf hashes', `stream = stream || '0'`],
    ] as const;
    const positions = await Promise.all(changes.map((_change, n) => copy.transferAt(3 + n)));
    const update = (change: string, position: number): [string, unknown[]] => [
      `update event set ${change} where partition = $1 and position = $2`,
      [partition, position],
    ];
    await asOwner(copy, ...changes.map(([, change], n) => update(change, positions[n]!)));
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const places = changes.map(([check], n) => ({ partition, check, position: String(positions[n]) }));
    expect(report.first).toMatchObject({ ...places[0], field: 'leaf' });
    const ofTheLog = report.divergences.filter(({ check }: any) => ['leaf hashes', 'times'].includes(check));
    expect(ofTheLog).toMatchObject(places);
  });

  it('a payment that was made twice, in an otherwise valid history', async () => {
    const id = await payTwice(copy, ledger.partner.accounts[0]!);
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.divergenceCount).toBe(1);
    expect(report.first).toMatchObject({
      check: 'payments once',
      partition,
      position: String(ledger.size + 2),
      subject: `AccountCredited ${id}`,
      found: `again after position ${ledger.size + 1}`,
    });
  });

  it('two swapped events', async () => {
    const [one, other] = [await copy.transferAt(4), await copy.transferAt(5)];
    const move = (from: number, to: number) =>
      [`update event set position = $3 where partition = $1 and position = $2`, [partition, from, to]] as const;
    await asOwner(copy, move(one, 1_000_000) as any, move(other, one) as any, move(1_000_000, other) as any);
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.first).toMatchObject({ partition, position: String(one), field: 'leaf' });
    expect(report.divergences.some((one: any) => one.position === String(other) && one.field === 'leaf')).toBe(true);
  });

  it('the last event, dropped', async () => {
    await asOwner(copy, [`delete from event where partition = $1 and position = $2`, [partition, ledger.size]]);
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.first).toMatchObject({
      partition,
      position: String(ledger.size),
      field: 'position',
      found: 'nothing',
    });
  });

  it('the last events, dropped together with their traces, when a checkpoint was signed over them', async () => {
    await asOwner(copy, [`delete from event where partition = $1 and position >= $2`, [partition, ledger.sealed]]);
    await recomputeHashes(copy, partition);
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const gone = { check: 'checkpoints', partition, position: String(ledger.sealed), field: 'size' };
    expect(report.divergences).toContainEqual(expect.objectContaining(gone));
  });

  it('a forged event with a leaf that fits it', async () => {
    const [victim] = await copy.query(`select * from event where partition = $1 and position = $2`, [
      partition,
      ledger.size,
    ]);
    await asOwner(copy, [
      `insert into event select partition, position + 1, gen_random_uuid(), 'transfer-forged', 1, type, schema_version, time,
         data, metadata, leaf from event where partition = $1 and position = $2`,
      [partition, ledger.size],
    ]);
    await recomputeHashes(copy, partition);
    // The head is restored: the forger forgot it.
    await copy.query(`update log_head set position = $2 where partition = $1`, [partition, ledger.size]);
    const first = await copy.verify();
    expect(first.code).toBe(1);
    expect(first.report.first).toMatchObject({ partition, position: String(ledger.size), field: 'root' });
    // And a forger who did not: the account's own numbering shows it.
    await recomputeHashes(copy, partition);
    const second = await copy.verify();
    expect(second.code).toBe(1);
    expect(second.report.first).toMatchObject({
      partition,
      position: String(ledger.size + 1),
      field: 'data.postings.entry',
    });
    expect(victim).toBeDefined();
  });

  it('a history that was rewritten with all its hashes: by the checkpoint', async () => {
    const position = await rewriteHistory();
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.first).toMatchObject({ partition, check: 'checkpoints', field: 'root' });
    // The finding is a range: everything since the last matching checkpoint.
    expect(Number(report.first.position)).toBeGreaterThanOrEqual(position);
  });

  it('a rewritten history whose checkpoints were dropped too: by the one outside the database', async () => {
    await rewriteHistory();
    await copy.query('delete from checkpoint');
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.first).toMatchObject({
      partition,
      check: 'checkpoints',
      position: String(ledger.sealed),
      field: 'root',
    });
  });

  it('a partition that is missing with its head', async () => {
    const [newest] = await copy.query('select note from checkpoint where partition = $1 order by size desc limit 1', [
      partition,
    ]);
    const witnessed = join(copy.dataDir, 'witnessed.checkpoint');
    await writeFile(witnessed, newest!.note);
    const tables = await copy.query(
      `select table_name as name from information_schema.columns c join information_schema.tables t
         using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'partition'`,
    );
    await asOwner(
      copy,
      ...tables.map(({ name }) => [`delete from ${name} where partition = $1`, [partition]] as [string, unknown[]]),
    );
    const { code, report } = await copy.verify('--checkpoint', witnessed);
    expect(code).toBe(1);
    const gone = { partition, position: null, found: 'nothing' };
    expect(report.divergences.filter((one: any) => one.partition === partition)).toEqual([
      expect.objectContaining({ ...gone, check: 'partitions', field: 'head' }),
      expect.objectContaining({ ...gone, check: 'checkpoints', expected: 'the log of a checkpoint that was kept' }),
      expect.objectContaining({ ...gone, check: 'checkpoints', expected: expect.stringMatching(/given .* events$/) }),
    ]);
    expect(report.first.check).toBe('partitions');
  });

  it('checkpoints signed by another key, and a given one of another log, which was compared with nothing', async () => {
    const [newest] = await copy.query('select note from checkpoint where partition = $1 limit 1', [partition]);
    const foreign = join(copy.dataDir, 'foreign.checkpoint');
    await writeFile(foreign, newest!.note.replace(/service\/\d+/, 'service/99999999'));
    const forged = await copy.query(
      `update checkpoint set note = regexp_replace(note, '— (\\S+) .*', '— \\1 ' || repeat('A', 92))
       where partition = $1 returning size`,
      [partition],
    );
    const { code, report } = await copy.verify('--checkpoint', foreign);
    expect(code).toBe(1);
    expect(report.divergences).toMatchObject([
      ...forged.map(() => ({ partition, check: 'checkpoint signatures', field: 'note' })),
      { check: 'checkpoints', partition, subject: expect.stringContaining('/99999999/') },
    ]);
  });
});

describe('the window that is not sealed yet', () => {
  it('is the only part that a forger of the whole database can change unnoticed: the events after the newest checkpoint', async () => {
    const actor = `replace(metadata::text, 'access-key:', 'access-kez:')::json`;
    await asOwner(copy, [
      `update event set metadata = ${actor} where partition = $1 and position > $2`,
      [partition, ledger.sealed],
    ]);
    await recomputeHashes(copy, partition);
    const { code, report } = await copy.verify();
    expect(report.divergences).toEqual([]);
    expect(code).toBe(0);
  });
});
