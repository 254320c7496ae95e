import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { Connections } from './connections.js';

const server = createServer((request, response) => {
  if (connections.takes(request, response)) response.end();
});
const settings = { trustedProxies: ['127.0.0.9'], mostConnections: 20_000, mostConnectionsPerAddress: 5_000 };
const connections = new Connections(settings, server);
const clients: Socket[] = [];
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  clients.forEach((client) => client.destroy());
  server.close();
});

const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const BEGUN = 'GET / HTTP/1.1\r\nHost: x\r\nA: b';

interface Client {
  readonly socket: Socket;
  readonly answers: () => number;
}

async function open(localAddress: string, sent: string): Promise<Client> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  clients.push(socket);
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString())).on('error', () => undefined);
  await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
  return { socket, answers: () => received.split('HTTP/1.1 200').length - 1 };
}

it('of heads that do not end the oldest of a network lose their connections, beyond 500, and no other', async () => {
  const kept = [await open('127.0.0.2', BEGUN), await open('127.0.0.1', ''), await open('127.0.0.1', WHOLE)];
  const proxied: Client[] = [];
  for (let i = 0; i < 510; i++) proxied.push(await open('127.0.0.9', BEGUN));
  const heads: Client[] = [];
  // Whether they are the first of their connection, or come together with a whole request.
  for (let i = 0; i < 520; i++) heads.push(await open('127.0.0.1', i % 2 === 0 ? BEGUN : WHOLE + BEGUN));
  await eventually(() => heads.slice(0, 20).every(({ socket }) => socket.destroyed) || undefined);
  const left = [...kept, ...proxied, ...heads.slice(20)];
  for (const { socket } of left) socket.write('\r\n\r\n');
  await eventually(() => left.slice(3).every(({ answers }) => answers() > 0) || undefined);
  expect(left.filter(({ socket }) => socket.destroyed)).toEqual([]);
  expect(kept[0]!.answers()).toBe(1);
  expect(heads.at(-1)!.answers()).toBe(2);
});
