import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { dnsResolver } from './resolve-host.js';

const A = 1;
const OK = 0;
const SERVFAIL = 2;
const NXDOMAIN = 3;

let server: Socket;

afterEach(() => void server.close());

describe('resolving a host', () => {
  it('answers the addresses of both families', async () => {
    const resolve = await resolverOf((type) =>
      type === A
        ? { code: OK, addresses: ['08080808', '0a000001'] }
        : { code: OK, addresses: [`fd00${'0'.repeat(27)}1`] },
    );
    expect([...(await resolve('partner.example'))].sort()).toEqual(['10.0.0.1', '8.8.8.8', 'fd00::1']);
  });

  it.each([OK, SERVFAIL, NXDOMAIN])('answers one family where the other has none (code %d)', async (code) => {
    const resolve = await resolverOf((type) =>
      type === A ? { code: OK, addresses: ['08080808'] } : { code, addresses: [] },
    );
    expect(await resolve('partner.example')).toEqual(['8.8.8.8']);
  });

  it('answers nothing for a name that is not known, and asks for no other in its stead', async () => {
    const asked = new Set<string>();
    const resolve = await resolverOf((_, name) => {
      asked.add(name.toLowerCase());
      return { code: NXDOMAIN, addresses: [] };
    });
    expect(await resolve('partner.example')).toEqual([]);
    expect([...asked]).toEqual(['partner.example']);
  });
});

type Answer = { code: number; addresses: readonly string[] };

/** A resolver that asks a name server of the test's own, on loopback (RFC 1035 4). */
async function resolverOf(answer: (type: number, name: string) => Answer) {
  server = createSocket('udp4');
  server.on('message', (query, peer) => server.send(reply(query, answer), peer.port, peer.address));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return dnsResolver([`127.0.0.1:${server.address().port}`]);
}

function reply(query: Buffer, answer: (type: number, name: string) => Answer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const { code, addresses } = answer(type, labels.join('.'));
  const question = query.subarray(12, at + 5);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((hex) => {
    const data = Buffer.from(hex, 'hex');
    const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, question, ...records]);
}
