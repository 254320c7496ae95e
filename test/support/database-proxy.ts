import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Listening, listenOnLoopback } from './loopback.js';
import { endsTransaction, errorMessage, isReady, ProtocolMessages } from './protocol-messages.js';

/** The lane's COMMIT on the wire: a Bind message for the prepared statement named `commit`. */
const LANE_COMMIT = Buffer.from('\0commit\0');
/** What the first message of a lane's connection has. */
const OF_A_LANE = Buffer.from('\0payments lane\0');

/** What a coordinator says that lost its connection to the node where the transaction committed, or did not. */
const LOST = errorMessage('XX000', 'could not commit transaction for shard 102009 on at least one active node');

/** What happens at a message: the connection is cut instead of carrying it, or an error stands in its place. */
export type MessageFault = 'request cut' | 'answer cut' | 'answer an error';

/** Lets a number of messages of one transaction pass, and fails at the next. */
interface FailingMessage {
  readonly fault: MessageFault;
  readonly client: ProtocolMessages;
  readonly server: ProtocolMessages;
  left: number;
  /** An error was said: what else the server says up to its end of the group, nobody is told. */
  failed: boolean;
}

/** An answer of the server in which the tag of COMMIT is replaced by an error. */
function withLostCommit(answer: Buffer): Buffer {
  const tag = answer.indexOf('COMMIT\0');
  if (tag < 0) return answer;
  return Buffer.concat([answer.subarray(0, tag - 5), LOST, answer.subarray(tag + 7)]);
}

/** Hears every chunk that the client of one connection sends. */
export type Listener = (chunk: Buffer) => void;

/** A TCP proxy in front of PostgreSQL that can be listened to, and can fail in chosen ways. */
export class DatabaseProxy {
  readonly #sockets = new Set<Socket>();
  #cut: 'before' | 'after' | 'late' | 'failed' | undefined;
  #deliver: (() => Promise<void>) | undefined;
  #thenRefuse: boolean | 'lanes' = false;
  #cuts = 0;
  readonly #awaitCut: (() => void)[] = [];
  #refusing: boolean | 'lanes' = false;
  #stalled = false;
  #delay = 0;
  #mutedBy: string | undefined;
  #atMessage: { readonly marker: Buffer; readonly fault: MessageFault; readonly after: number } | undefined;

  private constructor(
    private target: URL,
    private readonly listening: Listening,
    /** The database's address through the proxy. */
    readonly url: string,
    private readonly listen?: () => Listener,
  ) {}

  /** @param listen called for every new connection */
  static async start(databaseUrl: string, listen?: () => Listener): Promise<DatabaseProxy> {
    const server = createServer();
    const listening = await listenOnLoopback(server);
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${listening.port}`;
    const proxy = new DatabaseProxy(new URL(databaseUrl), listening, url.href, listen);
    server.on('connection', (client) => proxy.#relay(client));
    return proxy;
  }

  /**
   * Cuts the connection of the next group commit: before the server sees its COMMIT, or after, swallowing the answer;
   * or late: what the client had sent is on its way, until `deliver`; or not at all: it is answered that COMMIT failed.
   * @param thenRefuse the database is gone from that moment on, for everybody or for lanes alone, until `refuse(false)`
   */
  cutNextCommit(
    moment: 'before' | 'after' | 'late' | 'failed',
    { thenRefuse = false }: { thenRefuse?: boolean | 'lanes' } = {},
  ): void {
    this.#cut = moment;
    this.#thenRefuse = thenRefuse;
  }

  /**
   * Fails at one message of the next transaction, counted from the chunk on in which the client says `marker`: at every
   * one of its commit, where nothing else is said. `cuts` tells whether there were so many.
   */
  failAtMessage(after: number, fault: MessageFault, marker: Buffer = LANE_COMMIT): void {
    this.#atMessage = { after, fault, marker };
  }

  /** Lets the server have the commit that was cut late, and waits for its answer to it. */
  async deliver(): Promise<void> {
    await this.#deliver!();
  }

  /** How many commits were cut so far. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Settles as the next commit is cut. */
  nextCut(): Promise<void> {
    return new Promise((resolve) => this.#awaitCut.push(resolve));
  }

  #countCut(): void {
    this.#cuts += 1;
    for (const resolve of this.#awaitCut.splice(0)) resolve();
  }

  /** Cuts every connection and, while `true`, refuses new ones. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing;
    if (refusing) this.#sockets.forEach((socket) => socket.destroy());
  }

  /** From now on the address leads to another server, as after a failover. */
  leadTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
    this.refuse(false);
  }

  /** While `true`, nothing is carried in either direction, and nobody is told. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    this.#sockets.forEach((socket) => (stalled ? socket.pause() : socket.resume()));
  }

  /**
   * From now on a connection on which the client says `marker` carries no more answers, and nobody is told; it stays
   * so. Without a marker nothing happens to further ones.
   */
  mute(marker: string | undefined): void {
    this.#mutedBy = marker;
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

  #relay(client: Socket): void {
    if (this.#refusing === true) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.target.port || 5432), this.target.hostname);
    // Who asks for a server that is away may be given its port, and meet itself there.
    server.once('connect', () => server.localPort === server.remotePort && server.destroy());
    const hear = this.listen?.();
    let swallow = false;
    let muted = false;
    let failing = false;
    let message: FailingMessage | undefined;
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
      if (this.#mutedBy !== undefined && chunk.includes(this.#mutedBy)) muted = true;
      if (this.#refusing === 'lanes' && chunk.includes(OF_A_LANE)) return end();
      if (this.#atMessage && chunk.includes(this.#atMessage.marker)) {
        const { after, fault } = this.#atMessage;
        this.#atMessage = undefined;
        message = { fault, left: after, failed: false, client: new ProtocolMessages(), server: new ProtocolMessages() };
      }
      if (message?.fault === 'request cut') {
        for (const one of message.client.push(chunk)) {
          if (message.left === 0) {
            this.#countCut();
            return void server.end(() => end());
          }
          message.left -= 1;
          server.write(one);
        }
        return;
      }
      if (this.#cut && chunk.includes(LANE_COMMIT)) {
        const moment = this.#cut;
        this.#cut = undefined;
        this.#countCut();
        if (moment === 'before') {
          if (this.#thenRefuse === true) this.refuse(true);
          else if (this.#thenRefuse) this.#refusing = 'lanes';
          return end();
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
      if (muted) return;
      if (message) {
        for (const one of message.server.push(answer)) {
          const over = endsTransaction(one);
          if (message.fault !== 'request cut' && !message.failed && message.left === 0) {
            this.#countCut();
            if (message.fault === 'answer cut') return end();
            message.failed = true;
            client.write(LOST);
          }
          if (message.fault !== 'request cut') message.left -= 1;
          if (!message.failed || isReady(one)) client.write(one);
          if (message.failed ? isReady(one) : over) {
            message = undefined;
            break;
          }
        }
        return;
      }
      const chunk = failing ? withLostCommit(answer) : answer;
      if (chunk !== answer) failing = false;
      // ReadyForQuery with status `I`: the transaction has ended on the server; its answer gets lost here.
      if (!swallow) client.write(chunk);
      else if (chunk.includes(Buffer.from('COMMIT\0'))) {
        if (this.#thenRefuse === true) this.refuse(true);
        else {
          if (this.#thenRefuse) this.#refusing = 'lanes';
          end();
        }
      }
    });
  }
}
