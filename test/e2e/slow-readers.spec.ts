import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

const MOST = 100;
const READERS = 24;
const AT_ONCE = 20;
/** What one connection may have without their answers: more than its buffers hold. */
const REQUESTS = 16;
/** A kernel tells of what was read only now and then: of 80 KB a second after up to 17 seconds, of this after 7. */
const BYTES_A_SECOND = 200 * 1024;
/** Of a socket: a timer that is three seconds late still finds all that is due. */
const READ_AHEAD = 1024 * 1024;
const OPENED: SlowReader[] = [];

/** Pipelines requests, and reads 200 KB a second of half a megabyte or more: the socket is not silent for long. */
class SlowReader {
  closed = false;
  /** Answers that have come whole. */
  #whole = 0;
  #read = 0;
  #head = '';
  #bodyLeft = 0;
  readonly #openedAt = performance.now();
  readonly #reading: NodeJS.Timeout;

  private constructor(
    private readonly socket: Socket,
    path: string,
  ) {
    socket.on('error', () => undefined).once('close', () => (this.closed = true));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(REQUESTS));
    this.#reading = setInterval(() => this.#readOn(), 50);
    OPENED.push(this);
  }

  /**
   * @param from a loopback address: each is a client of its own
   * @param highWaterMark of its socket
   */
  static async open(url: string, path: string, from: string, highWaterMark = 64 * 1024): Promise<SlowReader> {
    const { hostname, port } = new URL(url);
    const options = { host: hostname, port: Number(port), localAddress: from, highWaterMark };
    const socket = connect(options);
    await new Promise((resolve) => socket.once('connect', resolve));
    return new SlowReader(socket, path);
  }

  /** @returns how many answers it got, once it has all of them or was cut off */
  async readRest(afterSeconds = 0): Promise<number> {
    await eventually(() => performance.now() - this.#openedAt > afterSeconds * 1000, { within: 90_000 });
    clearInterval(this.#reading);
    this.socket.on('data', (chunk: Buffer) => this.#take(chunk));
    await eventually(() => this.closed || this.#whole === REQUESTS);
    return this.#whole;
  }

  /** By the time that has passed: where timers are late, nobody could tell it from a socket that is not read. */
  #readOn(): void {
    const due = ((performance.now() - this.#openedAt) / 1000) * BYTES_A_SECOND;
    while (this.#read < due) {
      const chunk = this.socket.read(Math.min(4096, this.socket.readableLength)) as Buffer | null;
      if (!chunk) return;
      this.#read += chunk.length;
      this.#take(chunk);
    }
  }

  /** Bodies are counted, not kept: there are twenty megabytes of them. */
  #take(chunk: Buffer | null): void {
    let text = chunk?.toString('latin1') ?? '';
    while (text !== '') {
      if (this.#bodyLeft > 0) {
        const length = Math.min(this.#bodyLeft, text.length);
        text = text.slice(length);
        this.#bodyLeft -= length;
        if (this.#bodyLeft === 0) this.#whole += 1;
        continue;
      }
      this.#head += text;
      const end = this.#head.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      this.#bodyLeft = Number(/content-length: (\d+)/i.exec(this.#head)![1]);
      text = this.#head.slice(end);
      this.#head = '';
    }
  }

  end(): void {
    clearInterval(this.#reading);
    this.socket.destroy();
  }
}

let database: TestDatabase;
let service: Service;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { MAX_REQUESTS: String(MOST) });
  partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
}, 60_000);
afterAll(async () => {
  OPENED.forEach((reader) => reader.end());
  await service?.stop();
  await database?.drop();
});

describe('answers that are read slowly', () => {
  let late: SlowReader;
  let inTime: SlowReader;
  // Their minute passes while the others are tested.
  beforeAll(async () => {
    late = await SlowReader.open(service.url, '/docs/swagger-ui-bundle.js', '127.0.0.2', READ_AHEAD);
    inTime = await SlowReader.open(service.url, '/docs/swagger-ui-bundle.js', '127.0.0.3', READ_AHEAD);
  });

  it('hold up nobody else, however many there are, and the longest waiting of an address are cut off', async () => {
    const api = await PartnerApi.login(service.url, partner.credentials);
    const readers: SlowReader[] = [];
    for (let i = 0; i < READERS; i++) {
      readers.push(await SlowReader.open(service.url, '/openapi.json', '127.0.0.4'));
      const transfers = Array.from({ length: AT_ONCE }, () => api.transfer(partner.accounts[1]!, '1.00'));
      expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    }
    const [first, last] = [readers[0]!, readers.at(-1)!];
    expect([await first.readRest(), await last.readRest()]).toEqual([expect.any(Number), REQUESTS]);
    expect([first.closed, last.closed]).toEqual([true, false]);
  });

  it('are whole within the minute, and cut off after it', async () => {
    expect([await inTime.readRest(45), inTime.closed]).toEqual([REQUESTS, false]);
    expect(await late.readRest(70)).toBeLessThan(REQUESTS);
    expect(late.closed).toBe(true);
  }, 120_000);
});
