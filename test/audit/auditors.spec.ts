import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provesConsistency, provesInclusion } from '../../src/audit/tree/verify-proof.js';
import { isSignedBy, parseCheckpoint, parseVerifier } from '../../src/audit/checkpoints/note.js';
import { hashEvent } from '../../src/event-store/log/leaf.js';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { tellEvents } from '../support/told-events.js';

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let own: TestPartner;
let other: TestPartner;
let everything: string;
let limited: string;

beforeAll(async () => {
  database = await createDatabase();
  // One partition for all partners, so that an auditor of one shares it with others.
  service = await startService(database.url, { CHECKPOINT_INTERVAL_SECONDS: '1', LEDGER_PARTITIONS: '1' });
  operator = new OperatorApi(service.url);
  own = await operator.partner(['100.00', '50.00']);
  other = await operator.partner(['70.00', '0.00']);
  for (const partner of [own, other, own]) {
    const api = await PartnerApi.login(service.url, partner.credentials);
    for (let i = 0; i < 4; i++) await api.transfer(partner.accounts[1]!, '1.50');
  }
  everything = (await operator.post('/auditors', { name: 'All' })).token;
  limited = (await operator.post('/auditors', { name: 'One', partnerUid: own.uid })).token;
  await eventually(async () => {
    const rows = await database.query(
      `select h.position = (select max(size) from checkpoint c where c.partition = h.partition) as sealed from log_head h`,
    );
    return rows.every(({ sealed }) => sealed);
  });
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

async function get(token: string, path: string): Promise<any> {
  const { status, body } = await call(service.url, 'GET', `/audit${path}`, { token });
  expect(status).toBe(200);
  return body.data;
}

async function all(token: string, path: string, limit: number): Promise<any[]> {
  const items: any[] = [];
  let cursor = '';
  do {
    const page = await get(
      token,
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${cursor}`}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}

const hashes = (path: string[]) => path.map((hash) => Buffer.from(hash, 'base64'));
const leafOf = (event: any) => hashEvent({ ...event, position: BigInt(event.position), time: new Date(event.time) });

describe("an auditor's credential", () => {
  it('authorizes the audit routes only, and nothing else does', async () => {
    for (const path of ['/admin/partners', '/partners-int/accounts']) {
      expect((await call(service.url, 'GET', path, { token: everything })).status).toBe(401);
    }
    const { token } = await PartnerApi.login(service.url, own.credentials);
    for (const wrong of [token, `${everything.slice(0, -1)}x`, 'aud_x', 'test-operator-token-of-24-and-more']) {
      expect((await call(service.url, 'GET', '/audit/checkpoints', { token: wrong })).status).toBe(401);
    }
    expect((await call(service.url, 'POST', '/audit/events', { token: everything, body: {} })).status).toBe(405);
  });

  it('is in the history without its secret, and is refused once revoked', async () => {
    const { id, token } = await operator.post('/auditors', { name: 'Short' });
    await get(token, '/checkpoints');
    const events = await database.query(`select type, data::text from event where stream = $1`, [`auditor-${id}`]);
    expect(events).toMatchObject([{ type: 'AuditorRegistered' }]);
    expect(events[0]!.data).not.toContain(token.slice(-43));
    await operator.post(`/auditors/${id}/revoke`);
    await eventually(async () => (await call(service.url, 'GET', '/audit/checkpoints', { token })).status === 401, {
      within: 1_000,
    });
    const listed = (await operator.get('/auditors')).items.find((one: any) => one.id === id);
    expect(listed).toMatchObject({ name: 'Short', status: 'Revoked' });
  });

  it('is listed for operators, however many there are', async () => {
    const before = (await operator.get('/auditors')).items.map(({ id }: { id: string }) => id);
    const older = `partition = 0 and id < '00000000-0000-7000-9000-000000000000'`;
    try {
      await database.query(`
        insert into auditor (partition, id, name, status, registered_at, version, bound)
        select 0, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Old', 'Revoked', now(), 2, true
        from generate_series(1, 1000) as n`);
      const items = (await operator.get('/auditors')).items.map(({ id }: { id: string }) => id);
      expect(items.slice(1_000)).toEqual(before);
    } finally {
      await database.query(`delete from auditor where ${older}`);
    }
  });

  it('cannot be for a partner that does not exist', async () => {
    await expect(operator.post('/auditors', { name: 'x', partnerUid: own.accounts[0] })).rejects.toThrow('404');
  });
});

describe('events for auditors', () => {
  it('come by partition, with the exact texts that were hashed', async () => {
    const events = await all(everything, '/events?partition=1', 7);
    expect(events.map(({ position }) => Number(position))).toEqual(events.map((_event, i) => i + 1));
    expect(events.length).toBeGreaterThan(7);
    for (const event of events) expect(leafOf(event).toString('base64')).toBe(event.leaf);
  });

  it('come by account and by transaction', async () => {
    const events = await all(everything, `/accounts/${own.accounts[0]}/events`, 3);
    expect(events.map(({ type }) => type)).toEqual([
      'AccountOpened',
      'AccountCredited',
      ...Array<string>(8).fill('TransferSettled'),
    ]);
    const { id } = JSON.parse(events.at(-1).data);
    expect(await all(everything, `/transactions/${id}/events`, 1)).toEqual([events.at(-1)]);
  });

  it('are those of one partner for an auditor limited to it; no others are shown', async () => {
    const events = await all(limited, '/events?partition=1', 5);
    const whole = await all(everything, '/events?partition=1', 100);
    const theirs = whole.filter((event) => JSON.stringify(event).includes(own.uid));
    expect(events).toEqual(theirs);
    expect(events.length).toBeLessThan(whole.length);
    expect(JSON.stringify(await all(limited, '/events?partition=0', 50))).not.toContain(other.uid);
    const hidden = whole.find((event) => event.data.includes(other.uid));
    for (const path of [
      `/accounts/${other.accounts[0]}/events`,
      `/accounts/${other.accounts[0]}/balance`,
      `/transactions/${JSON.parse(hidden.data).id}/events`,
      `/proofs/inclusion?partition=1&position=${hidden.position}`,
    ]) {
      expect((await call(service.url, 'GET', `/audit${path}`, { token: limited })).status).toBe(404);
    }
  });
});

describe('balances at a moment', () => {
  it('are those after each event, at its position and at its time', async () => {
    const uid = own.accounts[1]!;
    await tellEvents(database);
    const entries = await database.query(
      `select (p->>'entry')::int as number, position, time, p->>'balance' as balance
       from told.event, json_array_elements(data->'postings') p
       where p->>'account' = $1 order by number`,
      [uid],
    );
    for (const { number, position, balance, time } of entries) {
      const now = { available: (Number(balance) / 100).toFixed(2), held: '0.00', blocked: '0.00' };
      const expected = { ...now, entry: number, position };
      expect(await get(everything, `/accounts/${uid}/balance?position=${position}`)).toEqual(expected);
      const at = await get(limited, `/accounts/${uid}/balance?at=${time.toISOString()}`);
      // Others may have been made at the same time.
      expect(at.entry).toBe(entries.findLast((one) => one.time <= time)!.number);
    }
    const before = new Date(entries[0]!.time.getTime() - 1).toISOString();
    const nothing = { available: '0.00', held: '0.00', blocked: '0.00', entry: 0, position: null };
    expect(await get(everything, `/accounts/${uid}/balance?at=${before}`)).toEqual(nothing);
    expect((await get(everything, `/accounts/${uid}/balance`)).entry).toBe(entries.length);
  });
});

describe('checkpoints and proofs for auditors', () => {
  it('prove that a signed checkpoint covers every event of the limited auditor', async () => {
    const { items } = await get(limited, '/checkpoints');
    const { vkey } = items.find((checkpoint: any) => checkpoint.partition === 1);
    const events = await all(limited, '/events?partition=1', 100);
    expect(events.length).toBeGreaterThan(7);
    for (const event of events) {
      const { note, path, index, size } = await get(
        limited,
        `/proofs/inclusion?partition=1&position=${event.position}`,
      );
      expect(isSignedBy(note, parseVerifier(vkey))).toBe(true);
      const { root } = parseCheckpoint(note);
      expect(provesInclusion(leafOf(event), BigInt(index), BigInt(size), hashes(path), root)).toBe(true);
    }
  });

  it('prove each checkpoint consistent with those before it', async () => {
    const checkpoints = await all(everything, '/checkpoints/1', 2);
    const last = parseCheckpoint(checkpoints.at(-1).note);
    for (const { note } of checkpoints) {
      const { size, root } = parseCheckpoint(note);
      const { path, to } = await get(everything, `/proofs/consistency?partition=1&from=${size}`);
      expect(provesConsistency(size, root, BigInt(to), last.root, hashes(path))).toBe(true);
    }
  });

  it('are public for witnesses, as plain notes', async () => {
    const { status, body, headers } = await call(service.url, 'GET', '/checkpoints/1');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(parseCheckpoint(body).origin).toBe('partner-payments-service/12345678/partition-1');
    expect((await call(service.url, 'GET', '/checkpoints/77')).status).toBe(404);
  });

  it('refuse what cannot be proved', async () => {
    const ask = (path: string) => call(service.url, 'GET', `/audit/proofs/${path}`, { token: everything });
    expect((await ask('inclusion?partition=1&position=999999')).status).toBe(404);
    expect((await ask('inclusion?partition=1')).status).toBe(400);
    expect((await ask('consistency?partition=1&from=999999')).status).toBe(400);
    expect((await ask('consistency?partition=1&from=1&to=999999')).status).toBe(404);
  });
});
