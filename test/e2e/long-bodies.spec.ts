import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

const MIB = 1024 * 1024;
const PATH = '/partners-int/accounts/transfers/batch';

let database: TestDatabase;
let service: Service;
let hostile: TestPartner;
let neighbour: TestPartner;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  const operator = new OperatorApi(service.url);
  hostile = await operator.partner(['1000.00', '0.00']);
  neighbour = await operator.partner(['1000.00', '0.00']);
}, 60_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
  await database.drop();
});

/**
 * A request whose body does not come to its end. @param lengthHeader `Content-Length: …`, or that it comes in chunks
 */
function begin(token: string, lengthHeader: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const head = [`POST ${PATH} HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${token}`, lengthHeader];
      // The server asks for the body once the head was accepted.
      socket.write([...head, 'Content-Type: application/json', 'Expect: 100-continue', '', ''].join('\r\n'));
    });
    sockets.push(socket);
    socket.once('data', (answer) => resolve(answer.toString().split('\r\n')[0]!));
    socket.once('error', reject);
  });
}

const batch = (partner: TestPartner, key: string, note: number) => ({
  items: [
    { idempotencyKey: key, refAccountCredit: partner.accounts[1]!, transferAmount: '1.00', note: 'x'.repeat(note) },
  ],
});

describe('long bodies that never end', () => {
  it('are bounded for each partner: short ones and those of others are taken meanwhile', async () => {
    const api = await PartnerApi.login(service.url, hostile.credentials);
    const other = await PartnerApi.login(service.url, neighbour.credentials);
    const { token } = api;
    for (let i = 0; i < 8; i++) await begin(token, `Content-Length: ${MIB}`);
    for (let i = 0; i < 8; i++) await begin(token, 'Transfer-Encoding: chunked');
    const refused = await api.post('/accounts/transfers/batch', batch(hostile, 'a', 100_000));
    expect(refused).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringContaining('long requests') } },
    });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await api.post('/accounts/transfers/batch', batch(hostile, 'b', 10))).status).toBe(200);
    expect((await other.post('/accounts/transfers/batch', batch(neighbour, 'c', 100_000))).status).toBe(200);

    for (const socket of sockets) socket.destroy();
    await eventually(
      async () => (await api.post('/accounts/transfers/batch', batch(hostile, 'a', 100_000))).status === 200,
    );
  });

  it('give their room back, however they end', async () => {
    const api = await PartnerApi.login(service.url, hostile.credentials);
    for (let i = 0; i < 40; i++) {
      const answer = await api.post('/accounts/transfers/batch', batch(hostile, `d-${i}`, i % 2 ? 100_000 : 2 * MIB));
      expect(answer.status).toBe(i % 2 ? 200 : 413);
    }
  });
});
