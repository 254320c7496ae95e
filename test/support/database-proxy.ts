import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Listening, listenOnLoopback } from './loopback.js';

/** The lane's COMMIT on the wire: a Bind message for the prepared statement named `commit`. */
const LANE_COMMIT = Buffer.from('\0commit\0');

/** What a coordinator says that lost its connection to the node where the transaction committed, or did not. */
const LOST = Buffer.from(
  'SERROR\0VERROR\0CXX000\0Mcould not commit transaction for shard 102009 on at least one active node\0\0',
);

/** An answer of the server in which the tag of COMMIT is replaced by an error. */
function withLostCommit(answer: Buffer): Buffer {
  const tag = answer.indexOf('COMMIT\0');
  if (tag < 0) return answer;
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(LOST.length + 4, 1);
  return Buffer.concat([answer.subarray(0, tag - 5), head, LOST, answer.subarray(tag + 7)]);
}

/** Hears every chunk that the client of one connection sends. */
export type Listener = (chunk: Buffer) => void;

/** A TCP proxy in front of PostgreSQL that can be listened to, and can fail in chosen ways. */
export class DatabaseProxy {
  readonly #sockets = new Set<Socket>();
  #cut: 'before' | 'after' | 'late' | 'failed' | undefined;
  #deliver: (() => Promise<void>) | undefined;
  #thenRefuse = false;
  #cuts = 0;
  #refusing = false;
  #stalled = false;
  #delay = 0;

  private constructor(
    private readonly listening: Listening,
    /** The database's address through the proxy. */
    readonly url: string,
    private readonly listen?: () => Listener,
  ) {}

  /** @param listen called for every new connection */
  static async start(databaseUrl: string, listen?: () => Listener): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl);
    const server = createServer();
    const listening = await listenOnLoopback(server);
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${listening.port}`;
    const proxy = new DatabaseProxy(listening, url.href, listen);
    server.on('connection', (client) => proxy.#relay(client, target));
    return proxy;
  }

  /**
   * Cuts the connection of the next group commit: before the server sees its COMMIT, or after, swallowing the answer; or
   * late: what the client had sent is on its way, until `deliver`; or not at all: it is answered that COMMIT failed.
   * @param thenRefuse the database is gone from that moment on, until `refuse(false)`
   */
  cutNextCommit(moment: 'before' | 'after' | 'late' | 'failed', { thenRefuse = false } = {}): void {
    this.#cut = moment;
    this.#thenRefuse = thenRefuse;
  }

  /** Lets the server have the commit that was cut late, and waits for its answer to it. */
  async deliver(): Promise<void> {
    await this.#deliver!();
  }

  /** How many commits were cut so far. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Cuts every connection and, while `true`, refuses new ones. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing;
    if (refusing) this.#sockets.forEach((socket) => socket.destroy());
  }

  /** While `true`, nothing is carried in either direction, and nobody is told. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    this.#sockets.forEach((socket) => (stalled ? socket.pause() : socket.resume()));
  }

  /** Milliseconds that everything to the server is late from now on: a slow database. */
  slow(delay: number): void {
    this.#delay = delay;
  }

  /** Takes back a cut that has not happened yet. */
  calm(): void {
    this.#cut = undefined;
  }

  async stop(): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    await this.listening.close();
  }

  #relay(client: Socket, target: URL): void {
    if (this.#refusing) {
      client.destroy();
      return;
    }
    const server = connect(Number(target.port || 5432), target.hostname);
    const hear = this.listen?.();
    let swallow = false;
    let failing = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket)).on('close', end);
      if (this.#stalled) socket.pause();
    }
    client.on('data', (chunk) => {
      hear?.(chunk);
      if (this.#cut && chunk.includes(LANE_COMMIT)) {
        const moment = this.#cut;
        this.#cut = undefined;
        this.#cuts += 1;
        if (moment === 'before') {
          end();
          return;
        }
        if (moment === 'late') {
          client.off('close', end).destroy();
          this.#deliver = async () => {
            const answered = once(server, 'data');
            server.write(chunk);
            await answered;
            server.destroy();
          };
          return;
        }
        swallow = moment === 'after';
        failing = moment === 'failed';
      }
      if (this.#delay === 0) server.write(chunk);
      // Timers of one length fire in the order in which they were set.
      else setTimeout(() => server.writable && server.write(chunk), this.#delay);
    });
    server.on('data', (answer) => {
      const chunk = failing ? withLostCommit(answer) : answer;
      if (chunk !== answer) failing = false;
      // ReadyForQuery with status `I`: the transaction has ended on the server; its answer gets lost here.
      if (!swallow) client.write(chunk);
      else if (chunk.includes(Buffer.from('COMMIT\0'))) {
        if (this.#thenRefuse) this.refuse(true);
        else end();
      }
    });
  }
}
