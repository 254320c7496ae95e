import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { PERSON, personForAll, type PersonWorld } from '../support/person-world.js';
import { SETTINGS } from '../support/service.js';
import { deadPort } from '../support/webhook-receiver.js';

let world: PersonWorld;

const onePerson = () => personForAll((given) => (world = given));

/** By verify, when it is gone, and when it is another. */
async function lookupKeyIsMissed(key: string): Promise<void> {
  const verify = async () => (await world.ledger(['verify'], { MASTER_KEY: key })).stdout;
  const [kept] = await world.database.query(
    `delete from setting_fingerprint where name = 'SUBJECT_LOOKUP_KEY' returning name, fingerprint`,
  );
  expect(await verify()).toContain('(subject look-ups): expected that of the person');
  const keep = (text: string) =>
    world.database.query(`insert into setting_fingerprint select $1, ${text}`, [kept!.name, kept!.fingerprint]);
  await keep('sha256($2) || $2');
  const damaged = await verify();
  expect(damaged).toContain('setting SUBJECT_LOOKUP_KEY');
  expect(damaged).toContain('WARNING: the look-ups of subjects were not compared');
  await world.database.query('delete from setting_fingerprint where name = $1', [kept!.name]);
  await keep('$2');
}

describe('ledger rotate-master-key', () => {
  onePerson();
  const key = Buffer.alloc(32, 9).toString('base64');

  it('wraps every key with the new one; persons are still shown, webhook secrets still sign', async () => {
    const port = await deadPort();
    // Sealed, four bytes are as long as a keyed hash.
    const header = { customHeaderName: 'X-Stage', customHeaderValue: 'prod' };
    const { body } = await world.api.post('/webhooks/test', { url: `http://127.0.0.1:${port}/`, ...header });
    const file = join(world.dataDir, 'new-key');
    await writeFile(file, `${key}\n`);
    expect((await world.ledger(['rotate-master-key', '--new-key-file', file])).stderr).toContain(
      'Stop all of them first',
    );
    await world.service.kill('SIGTERM');
    const { code, stdout } = await world.ledger(['rotate-master-key', '--new-key-file', file]);
    expect(stdout).toMatch(/[1-9]\d* subject keys and [1-9]\d* secrets/);
    expect(code).toBe(0);
    // As after a run whose answer was lost: its repetition has nothing left to do.
    const again = await world.ledger(['rotate-master-key', '--new-key-file', file]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('under the new key already') });
    await expect(world.start()).rejects.toThrow('MASTER_KEY');
    await world.start({ MASTER_KEY: key });
    world.api = world.api.on(world.service.url);
    expect(await world.show()).toMatchObject({ name: 'Maria da Silva', taxNumber: PERSON });
    const receiver = await PartnerReceiver.start([world.partner.webhookSecret], port);
    try {
      await world.api.post(`/webhooks/deliveries/${body.data.deliveryId}/redeliver`);
      expect(await receiver.arrived('/', 1)).toMatchObject([{ verifiedBy: 0, headers: { 'x-stage': 'prod' } }]);
    } finally {
      await receiver.stop();
    }
    expect(SETTINGS.MASTER_KEY).not.toBe(key);
  }, 60_000);

  it('leaves the same person the same subject, which is verified and forgotten under the new key', async () => {
    const subjects = async () =>
      (await world.database.query('select count(*)::int as count from subject_key'))[0]!.count;
    const before = await subjects();
    await world.operator.post(`/partners/${world.partner.uid}/accounts`, { name: 'Maria da Silva', taxNumber: PERSON });
    expect(await subjects()).toBe(before);
    const again = { name: 'Again', taxNumber: world.partner.taxNumber };
    await expect(world.operator.post('/partners', again)).rejects.toThrow('TaxNumberAlreadyRegistered');
    expect(await world.ledger(['verify'], { MASTER_KEY: key })).toMatchObject({ code: 0 });
    await lookupKeyIsMissed(key);
    expect(await world.ledger(['forget', '--tax-number', PERSON], { MASTER_KEY: key })).toMatchObject({ code: 0 });
  }, 60_000);
});

/** The key of their database is the old one until the last of them. */
describe('ledger rotate-master-key, beside services,', () => {
  onePerson();

  const connected = async (name: string) => {
    const client = new pg.Client({ connectionString: world.database.url, application_name: name });
    await client.connect();
    return client;
  };
  /** All that a rotation changes. */
  const keys = async () => {
    const tables = ['setting_fingerprint', 'subject_key', 'secret', 'registry_secret'];
    return Promise.all(tables.map((name) => world.database.query(`select t::text from ${name} t order by 1`)));
  };
  const waitingForLock = (query: string) =>
    eventually(
      async () =>
        (
          await world.database.query(
            `select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
            [query],
          )
        ).length > 0,
      { within: 20_000 },
    );

  it('is refused, and changes nothing, when a service starts meanwhile', async () => {
    await world.service.kill('SIGTERM');
    const file = join(world.dataDir, 'new-key');
    await writeFile(file, Buffer.alloc(32, 9).toString('base64'));
    const before = await keys();
    const holder = await connected('holder');
    await holder.query('begin');
    await holder.query('lock table subject_key in row exclusive mode');
    const rotating = world.ledger(['rotate-master-key', '--new-key-file', file]);
    await waitingForLock('lock table subject_key%');
    const newcomer = await connected('payments news');
    await holder.end();
    const { code, stderr } = await rotating;
    await newcomer.end();
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Stop all of them first') });
    expect(await keys()).toEqual(before);
  }, 60_000);

  it('is refused beside a rebuild that opens sealed values: no name would be found any more', async () => {
    await world.service.stop();
    const file = join(world.dataDir, 'new-key');
    await writeFile(file, Buffer.alloc(32, 9).toString('base64'));
    const words = () => world.database.query('select * from directory_word order by partition, word, uid');
    // The service may have ended before it had filled it.
    expect(await world.ledger(['rebuild', '--projection', 'directory'])).toMatchObject({ code: 0 });
    const before = await words();
    const holder = await connected('holder');
    await holder.query('begin');
    await holder.query('lock table directory_word in access exclusive mode');
    const url = new URL(world.database.url);
    url.searchParams.set('application_name', 'theirs');
    const rebuilding = world.ledger(['rebuild', '--projection', 'directory'], { DATABASE_URL: url.href });
    await waitingForLock('create table rebuild.directory_word%');
    const { code, stderr } = await world.ledger(['rotate-master-key', '--new-key-file', file]);
    await holder.end();
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Stop all of them first') });
    expect(await rebuilding).toMatchObject({ code: 0 });
    expect(before.length).toBeGreaterThan(0);
    expect(await words()).toEqual(before);
  }, 60_000);

  it('is refused beside a verification: one that began under the old key would call every key of a subject damaged', async () => {
    await world.service.stop();
    const file = join(world.dataDir, 'new-key');
    await writeFile(file, Buffer.alloc(32, 9).toString('base64'));
    const proxy = await DatabaseProxy.start(world.database.url);
    try {
      const verifying = world.ledger(['verify'], { DATABASE_URL: proxy.url });
      await eventually(
        async () =>
          (
            await world.database.query(`
              select from pg_stat_activity
              where datname = current_database() and application_name = 'ledger key in use' and state = 'idle'`)
          ).length > 0,
        { within: 20_000 },
      );
      proxy.stall(true);
      const { code, stderr } = await world.ledger(['rotate-master-key', '--new-key-file', file]);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Stop all of them first') });
      proxy.stall(false);
      expect(await verifying).toMatchObject({ code: 0 });
    } finally {
      await proxy.stop();
    }
  }, 60_000);

  it('beside another one finds that the key is not the present one any more, and says so in one line', async () => {
    await world.service.stop();
    const files = [9, 8].map((byte) => [join(world.dataDir, `key-${byte}`), Buffer.alloc(32, byte).toString('base64')]);
    for (const [file, key] of files) await writeFile(file!, key!);
    const holder = await connected('holder');
    await holder.query('begin');
    await holder.query('lock table subject_key in row exclusive mode');
    const rotating = files.map(([file]) => world.ledger(['rotate-master-key', '--new-key-file', file!]));
    await eventually(
      async () =>
        (
          await world.database.query(`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like 'lock table subject_key%'`)
        ).length === 2,
      { within: 20_000 },
    );
    await holder.end();
    const ended = await Promise.all(rotating);
    const done = ended.findIndex(({ code }) => code === 0);
    expect(ended[1 - done]).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^MASTER_KEY: this database was used with another key\. .*\n$/),
    });
    const now = files[done]![1]!;
    const { stdout } = await world.ledger(['verify'], { MASTER_KEY: now });
    expect(stdout).toMatch(/^OK: nothing diverges/m);
    // Back, for those who come later.
    await writeFile(files[0]![0]!, SETTINGS.MASTER_KEY);
    const back = ['rotate-master-key', '--new-key-file', files[0]![0]!];
    expect(await world.ledger(back, { MASTER_KEY: now })).toMatchObject({ code: 0 });
  }, 60_000);

  it('is noticed by a service that starts at its end, or notices that service', async () => {
    await world.service.stop();
    const rotation = await connected('rotation');
    const [before] = await world.database.query(
      `select fingerprint from setting_fingerprint where name = 'MASTER_KEY'`,
    );
    await rotation.query('begin');
    await rotation.query('lock table setting_fingerprint in share row exclusive mode');
    const starting = world.start();
    starting.catch(() => undefined);
    await waitingForLock('%insert into setting_fingerprint%');
    const lanes = await world.database.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'payments lane'`,
    );
    await rotation.query(`update setting_fingerprint set fingerprint = '\\x00' where name = 'MASTER_KEY'`);
    await rotation.query('commit');
    await rotation.end();
    await expect(starting).rejects.toThrow('MASTER_KEY');
    expect(lanes).toHaveLength(1);
    await world.database.query(`update setting_fingerprint set fingerprint = $1 where name = 'MASTER_KEY'`, [
      before!.fingerprint,
    ]);
  }, 60_000);

  it('is noticed by a service that had lost all connections meanwhile: it writes nothing, and is not ready', async () => {
    await world.service.stop();
    const proxy = await DatabaseProxy.start(world.database.url);
    try {
      await world.start({}, proxy.url);
      await world.operator.partner(['1.00']);
      proxy.refuse(true);
      const file = join(world.dataDir, 'new-key');
      await writeFile(file, Buffer.alloc(32, 9).toString('base64'));
      await eventually(async () => (await world.ledger(['rotate-master-key', '--new-key-file', file])).code === 0, {
        within: 20_000,
      });
      proxy.refuse(false);
      const events = async () =>
        (await world.database.query('select sum(position)::int as count from log_head'))[0]!.count;
      const before = await events();
      const ready = await eventually(
        async () => {
          await expect(world.operator.partner([])).rejects.toThrow('503');
          const answer = await fetch(`${world.service.url}/health/ready`);
          const body = await answer.text();
          return body.includes('MASTER_KEY') && { status: answer.status };
        },
        { within: 30_000, unless: () => true },
      );
      expect(ready).toEqual({ status: 503 });
      expect(await events()).toBe(before);
    } finally {
      await proxy.stop();
    }
  }, 60_000);
});
