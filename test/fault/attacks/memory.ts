import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { encodeDynamicBrCode } from '../../../src/pix/domain/values/br-code-encoder.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { attackOn, clientOf } from './attack.js';

/**
 * Ways to fill the memory of a process: bodies in chunks of one byte, whole and not, logins of many members behind an
 * answer that is slow, bodies and heads that are not finished. Beside each a client transfers. Each has a service of
 * its own.
 */

const SECONDS = 20;
/** Bodies of 65,000 chunks, without a token. */
const CHUNKED = 100;
/** Connections with a slow request and logins behind it, of 19,900 objects each. */
const HELD = 40;
const BEHIND = 15;
/** Connections with a body of 60,000 bytes that lacks its end. */
const UNFINISHED = 4_500;
/** Connections with a body that lacks its end, of 990 chunks of a byte. */
const CHUNKED_UNFINISHED = 3_000;
/** Connections from four addresses with a head that lacks its end, of 990 headers and of the most that are taken. */
const HEADS = 14_000;
const HEADERS = { 'many headers': [990, 9], 'as many headers as are taken': [97, 155] } as const;

interface Attacked {
  readonly token: string;
  readonly open: (first: Buffer | string, localAddress?: string) => void;
}

async function measured(name: string, attack: (attacked: Attacked) => Promise<unknown>): Promise<void> {
  await attackOn(1, {}, async ([service], row) => {
    const { token, transfers } = await clientOf(service);
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, residentMb(service.process.pid!))), 50);
    row('transfers alone', await transfers(5));
    const { hostname, port } = new URL(service.url);
    const sockets: Socket[] = [];
    const open = (first: Buffer | string, localAddress?: string) => {
      const socket = connect({ port: Number(port), host: hostname, localAddress }, () => socket.write(first));
      sockets.push(socket.on('error', () => undefined).resume());
    };
    await attack({ token, open });
    row(`transfers for ${SECONDS} s under ${name}`, await transfers(SECONDS));
    clearInterval(watching);
    row('the process', service.process.signalCode ?? 'lives');
    row('most memory that it had, in MB', most);
    sockets.forEach((socket) => socket.destroy());
  });
}

function residentMb(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

const request = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n`;

await measured(`${CHUNKED} bodies in chunks of a byte`, async ({ open }) => {
  const body = request('/partners-int/login', 'Transfer-Encoding: chunked\r\n') + '1\r\nx\r\n'.repeat(65_000);
  for (let i = 0; i < CHUNKED; i++) open(Buffer.from(body));
});

const { port, close } = await listenOnLoopback(createServer());
await measured(`${HELD} connections of ${BEHIND} logins behind a slow request`, async ({ token, open }) => {
  const charge = { merchantName: 'A', merchantCity: 'B', amount: 100n };
  const qrCode = encodeDynamicBrCode({ location: `127.0.0.1:${port}/x`, ...charge });
  const slow = JSON.stringify({ qrCode });
  const first = request(
    '/partners-int/accounts/pix/qrcode/decode',
    `Authorization: Bearer ${token}\r\nContent-Length: ${slow.length}\r\n`,
  );
  const login = `{"accessKey":"x","secret":"y","z":[${Array.from({ length: 19_900 }, () => '{}').join()}]}`;
  const behind = request('/partners-int/login', `Content-Length: ${login.length}\r\n`) + login;
  for (let i = 0; i < HELD; i++) open(first + slow + behind.repeat(BEHIND));
});

await measured(`${UNFINISHED} bodies that are not finished`, async ({ open }) => {
  const body = request('/partners-int/login', 'Content-Length: 60001\r\n') + 'x'.repeat(60_000);
  for (let opened = 0; opened < UNFINISHED; opened += 100) {
    for (let i = 0; i < 100; i++) open(Buffer.from(body));
    await new Promise((resume) => setTimeout(resume, 50));
  }
});
await close();

await measured(`${CHUNKED_UNFINISHED} bodies in chunks of a byte that are not finished`, async ({ open }) => {
  const body = request('/partners-int/login', 'Transfer-Encoding: chunked\r\n') + '1\r\nx\r\n'.repeat(990);
  for (let opened = 0; opened < CHUNKED_UNFINISHED; opened += 100) {
    for (let i = 0; i < 100; i++) open(Buffer.from(body));
    await new Promise((resume) => setTimeout(resume, 50));
  }
});

for (const [what, [headers, length]] of Object.entries(HEADERS)) {
  await measured(`${HEADS} heads of ${what} that are not finished`, async ({ open }) => {
    const names = Array.from({ length: headers }, (_, i) => `x${i}:${'y'.repeat(length)}\r\n`);
    const head = `GET /x HTTP/1.1\r\nHost: x\r\n${names.join('')}`;
    for (let opened = 0; opened < HEADS; opened += 200) {
      for (let i = 0; i < 200; i++) open(Buffer.from(head), `127.0.0.${1 + (i % 4)}`);
      await new Promise((resume) => setTimeout(resume, 10));
    }
  });
}
