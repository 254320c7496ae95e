import { afterEach, describe, expect, it } from '@jest/globals';
import { call, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { runLedger } from '../support/ledger-cli.js';
import { type Service, startService } from '../support/service.js';
import { asOwner } from '../support/tamper.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;
let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});
copyForEach((given) => ({ ledger, copy, partition } = given));

const ready = () => call(service!.url, 'GET', '/health/ready');
const isReady = async () => (await ready()).status === 200;

async function start() {
  // Its first round is over before any tampering; the next is a day away: the lane itself finds the problem.
  service = await startService(copy.url, { ...copy.env, CHECKPOINT_INTERVAL_SECONDS: '86400' });
  await eventually(isReady);
  return PartnerApi.login(service.url, ledger.partner.credentials);
}

const forge = (beyond: number) =>
  asOwner(copy, [
    `insert into event select partition, position + $3, gen_random_uuid(), 'transfer-forged', $3, type, schema_version, time,
       data, metadata, leaf from event where partition = $1 and position = $2`,
    [partition, ledger.size, beyond],
  ]);

describe('an event beyond the head', () => {
  it('makes commands at its position fail with a clear message; the process is not ready until it is removed', async () => {
    const api = await start();
    await forge(2);
    const to = ledger.partner.accounts[1]!;
    expect((await api.transfer(to, '1.00')).status).toBe(201);
    const answers = await Promise.all([1, 2, 3].map(() => api.transfer(to, '1.00')));
    for (const { status, body } of answers) {
      expect([status, body.error]).toEqual([
        503,
        { name: 'ServiceUnavailable', message: expect.stringContaining('The log contradicts its head') },
      ]);
    }
    const said = await eventually(async () => {
      const { status, body } = await ready();
      return status === 503 && (body.error.message as string);
    });
    expect(said).toContain(`partition ${partition}, position ${ledger.size + 2}: an event stands beyond the head`);
    expect((await copy.verify()).code).toBe(1);
    await asOwner(copy, [`delete from event where partition = $1 and position = $2`, [partition, ledger.size + 2]]);
    expect((await api.transfer(to, '1.00')).status).toBe(201);
    expect((await copy.verify()).code).toBe(0);
  }, 30_000);

  it('is found by the next round of the signer, without a command', async () => {
    await forge(9);
    service = await startService(copy.url, { ...copy.env, CHECKPOINT_INTERVAL_SECONDS: '1', ROLE: 'api' });
    await eventually(async () => !(await isReady()));
    await asOwner(copy, [`delete from event where partition = $1 and position > $2`, [partition, ledger.size]]);
    await eventually(isReady);
  }, 30_000);
});

describe('a missing head', () => {
  it('is no head to write behind, for a lane that remembers it', async () => {
    const api = await start();
    const to = ledger.partner.accounts[1]!;
    expect((await api.transfer(to, '1.00')).status).toBe(201);
    const [before] = await copy.query('select count(*) from event where partition = $1', [partition]);
    await copy.query('delete from log_head where partition = $1', [partition]);
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.transfer(to, '1.00')));
    for (const { status, body } of answers) {
      expect([status, body.error?.message]).toEqual([503, expect.stringContaining('The log contradicts its head')]);
    }
    expect(await copy.query('select count(*) from event where partition = $1', [partition])).toEqual([before]);
  }, 30_000);

  it('makes commands fail with a clear message, and the process is not ready', async () => {
    const api = await start();
    await copy.query('delete from log_head where partition = $1', [partition]);
    const { status, body } = await api.transfer(ledger.partner.accounts[1]!, '1.00');
    expect([status, body.error.message]).toEqual([503, expect.stringContaining('The log contradicts its head')]);
    await eventually(async () => (await ready()).body.error?.message.includes('its head is gone'));
    const { report } = await copy.verify();
    expect(report.first).toMatchObject({ check: 'partitions', partition, field: 'head' });
  }, 30_000);

  // An empty one before the events would make all of them rows beyond the head, as if somebody had planted them.
  it('is not made anew by a migration or a start, which say so; with that of a backup all goes on', async () => {
    const [head] = await copy.query('select row_to_json(h) as row from log_head h where partition = $1', [partition]);
    await copy.query('delete from log_head where partition = $1', [partition]);
    const { code, stdout, stderr } = await runLedger(['migrate'], { ...copy.env, DATABASE_URL: copy.url });
    const said = `Partition ${partition} has events and no head`;
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(said) });
    service = await startService(copy.url, copy.env);
    expect(service.output()).toContain(said);
    await eventually(async () => (await ready()).body.error?.message.includes('its head is gone'));
    await copy.query('insert into log_head select * from json_populate_record(null::log_head, $1)', [head!.row]);
    await service.stop();
    const api = await start();
    expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
    expect((await copy.verify()).code).toBe(0);
  }, 60_000);
});

describe('a head that was changed', () => {
  // Behind it the log would be in the future, or have a gap, for ever: events are not changed, and time never goes
  // back.
  it.each([
    ['in the future', `time = time + interval '300 days'`, `time = time - interval '300 days'`],
    ['where no event is', 'position = position + 10', 'position = position - 10'],
  ])(
    'takes no command %s, and the process is not ready until it is put back',
    async (_what, change, putBack) => {
      const api = await start();
      const to = ledger.partner.accounts[1]!;
      const count = () => copy.query('select count(*) from event where partition = $1', [partition]);
      const before = await count();
      await copy.query(`update log_head set ${change} where partition = $1`, [partition]);
      for (const path of ['/accounts/transfer', '/accounts/transfer?dryRun=true']) {
        const { status, body } = await api.post(path, { refAccountCredit: to, transferAmount: '1.00' });
        expect([status, body.error?.message]).toEqual([503, expect.stringContaining('The log contradicts its head')]);
      }
      expect(await count()).toEqual(before);
      await eventually(async () => (await ready()).body.error?.message.includes('the head has not'));
      await copy.query(`update log_head set ${putBack} where partition = $1`, [partition]);
      expect((await api.transfer(to, '1.00')).status).toBe(201);
      expect((await copy.verify()).code).toBe(0);
    },
    30_000,
  );
});

describe('a log that was put back behind an answer', () => {
  it('is noticed with the next command, before any checkpoint was signed', async () => {
    const api = await start();
    const to = ledger.partner.accounts[1]!;
    expect((await api.transfer(to, '1.00')).status).toBe(201);
    const [before] = await copy.query('select * from log_head where partition = $1', [partition]);
    expect((await api.transfer(to, '1.00')).status).toBe(201);
    const { position, root, peaks, time } = before!;
    await asOwner(
      copy,
      [`delete from event where partition = $1 and position > $2`, [partition, position]],
      [
        `update log_head set position = $2, root = $3, peaks = $4, time = $5 where partition = $1`,
        [partition, position, root, peaks, time],
      ],
    );
    await api.transfer(to, '1.00');
    const said = await eventually(async () => (await ready()).body.error?.message as string | undefined);
    const gone = `partition ${partition}, position ${Number(position) + 1}: this event was answered, and is gone`;
    expect(said).toContain(gone);
  }, 30_000);
});
