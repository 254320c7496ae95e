import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { Config } from '../config/index.js';
import { closeLingering } from './lingering-close.js';
import { networkOf } from './network-of.js';
import { sending } from './sending.js';
import { UnreadAnswers, type UnreadBytes } from './unread-answers.js';

/** Deadlines of a head and of a whole request, their check interval, and the idle check interval. Milliseconds. */
export const HTTP_DEADLINES = { head: 15_000, request: 30_000, exactness: 500, look: 5_000 };
/** Idle checks after which a connection is closed: one whose response is not read, and any other. */
const UNREAD_LOOKS = 3;
const SILENT_LOOKS = 12;
/** Requests of one connection that wait for their answers (HTTP pipelining). */
const MOST_UNANSWERED = 16;
/** Heads that have begun and not ended, of all and of one network. One may take 45 KiB; honest ones end at once. */
const MOST_UNFINISHED = { ofAll: 2_000, ofNetwork: 500 };

const UNUSED = {
  unanswered: 0,
  working: 0,
  isOver: false,
  usedOfAll: false,
  usedOfNetwork: false,
  still: 0,
  carried: 0,
};

type Settings = Pick<Config, 'trustedProxies' | 'mostConnections' | 'mostConnectionsPerAddress'>;

interface Network {
  /** In eviction order. */
  readonly sockets: Set<Socket>;
  readonly unread: UnreadBytes;
}

interface Held {
  readonly network: string;
  /** Of its network; none of a trusted proxy's. */
  readonly unread: UnreadBytes | undefined;
  /**
   * Requests whose heads have arrived, and those of them in progress: with none the connection is idle or receives one.
   */
  unanswered: number;
  working: number;
  /** The last of them: only its body can be on its way. */
  newest?: IncomingMessage | undefined;
  /** Whether it ends with the answer to the newest. */
  isOver: boolean;
  /** Whether a whole request arrived since the last eviction scan, of all and of its network. */
  usedOfAll: boolean;
  usedOfNetwork: boolean;
  /** Consecutive idle checks without any bytes. */
  still: number;
  carried: number;
  /** What waits for the answers to whole requests. */
  last?: (() => void) | undefined;
}

/**
 * Limits the connections of one network, and of all, so that a client that opens many without sending or reading harms
 * nobody. Beyond a limit the oldest is closed that received no whole request since its last scan (second chance);
 * one with a request in progress stays. A trusted proxy's connections count only towards the limit of all.
 */
export class Connections {
  readonly #held = new Map<Socket, Held>();
  readonly #networks = new Map<string, Network>();
  /** In eviction order. */
  readonly #all = new Set<Socket>();
  readonly #proxies = new BlockList();
  readonly #unread = new UnreadAnswers();

  constructor(
    private readonly settings: Settings,
    server: Server,
  ) {
    for (const proxy of settings.trustedProxies) {
      const [address = '', prefix] = proxy.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      this.#proxies.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
    }
    server.on('connection', (socket) => this.#open(socket));
    server.on('timeout', (socket: Socket) => this.#look(socket));
    // A socket that a caller reads from slowly has no timeout: its queue shrinks.
    const looking = setInterval(() => this.#unread.look(), HTTP_DEADLINES.look).unref();
    const bounding = setInterval(() => this.#boundHeads(server), HTTP_DEADLINES.exactness).unref();
    server.once('close', () => {
      clearInterval(looking);
      clearInterval(bounding);
    });
  }

  /**
   * A request's head arrived. Answers wait for those before them, and a client need not read: one connection could hold
   * thousands of requests in progress.
   * @returns whether it is answered; a connection with too many that wait, or that had its last answer, is closed
   */
  takes(request: IncomingMessage, answer: ServerResponse): boolean {
    const { socket } = request;
    const held = this.#held.get(socket);
    if (!held) return !socket.destroyed;
    if (held.unanswered >= MOST_UNANSWERED || socket.writableEnded) {
      socket.destroy();
      return false;
    }
    // What is behind it is no request.
    if (held.isOver) return false;
    if (isUnsure(request)) {
      held.isOver = true;
      answer.setHeader('connection', 'close');
    }
    held.newest = request;
    held.unanswered += 1;
    answer.once('close', () => {
      this.#unread.delete(answer);
      held.unanswered -= 1;
      if (held.newest === request) held.newest = undefined;
      if (held.last && !isOwed(held)) held.last();
    });
    return true;
  }

  /**
   * Acts once all whole requests of the connection are answered: what is told of the bytes behind them, or of a body
   * that does not end, would be taken for the answer to one of them. Of several acts the first counts.
   */
  afterAnswers(socket: Socket, act: () => void): void {
    const held = this.#held.get(socket);
    if (!held || !isOwed(held)) act();
    else held.last ??= act;
  }

  /** An answer of so many bytes is given. Until it is read it takes memory. */
  given({ socket }: IncomingMessage, answer: ServerResponse, length: number): void {
    const held = this.#held.get(socket);
    if (held) this.#unread.add(answer, socket, held.unread, length);
  }

  /** A whole request arrived. @returns a function to call when it is answered or its caller has disconnected */
  begin(socket: Socket): () => void {
    const held = this.#held.get(socket);
    if (!held) return () => undefined;
    held.usedOfAll = held.usedOfNetwork = true;
    held.working += 1;
    return () => (held.working -= 1);
  }

  #open(socket: Socket): void {
    const { mostConnections, mostConnectionsPerAddress } = this.settings;
    const network = networkOf(socket.remoteAddress ?? '');
    const isProxy = this.#isProxy(socket);
    const own = this.#networks.get(network) ?? { sockets: new Set(), unread: { bytes: 0 } };
    if (own.sockets.size >= mostConnectionsPerAddress && !isProxy) this.#evict(own.sockets, 'usedOfNetwork', socket);
    else if (this.#all.size >= mostConnections) this.#evict(this.#all, 'usedOfAll', socket);
    if (socket.destroyed) return;
    this.#networks.set(network, own);
    own.sockets.add(socket);
    this.#all.add(socket);
    const held: Held = { network, unread: isProxy ? undefined : own.unread, ...UNUSED };
    this.#held.set(socket, held);
    socket.once('close', () => this.#closed(socket));
    // Node calls it after the last answer of a connection.
    const closeSoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (held.newest?.complete === false) closeLingering(socket);
      else closeSoon();
    };
  }

  /** If all others have a request in progress, the newest is closed. */
  #evict(order: Set<Socket>, used: 'usedOfAll' | 'usedOfNetwork', newest: Socket): void {
    let left = 2 * order.size;
    for (const socket of order) {
      const held = this.#held.get(socket)!;
      if (held.working === 0 && !held[used]) {
        this.#closed(socket);
        return void socket.destroy();
      }
      held[used] = false;
      order.delete(socket);
      order.add(socket);
      if ((left -= 1) === 0) break;
    }
    newest.destroy();
  }

  /** Until a head ends nothing else tells of it. The newest stay, so many of each network. */
  #boundHeads(server: Server): void {
    if (this.#all.size <= MOST_UNFINISHED.ofNetwork) return;
    const networks = new Map<string, number>();
    let all = 0;
    for (const socket of sending(server).reverse()) {
      const held = this.#held.get(socket);
      if (!held || socket.bytesRead === 0 || held.newest?.complete === false) continue;
      const own = networks.get(held.network) ?? 0;
      const isTooMuch = own >= MOST_UNFINISHED.ofNetwork && !this.#isProxy(socket);
      if (isTooMuch || all >= MOST_UNFINISHED.ofAll) {
        this.#closed(socket);
        socket.destroy();
        continue;
      }
      networks.set(held.network, own + 1);
      all += 1;
    }
  }

  /**
   * Nothing was sent or received for a while. With a response to write that is the caller's fault; requests have their
   * own deadline.
   */
  #look(socket: Socket): void {
    const held = this.#held.get(socket);
    if (!held) return;
    const carried = socket.bytesRead + socket.bytesWritten - socket.writableLength;
    held.still = carried === held.carried ? held.still + 1 : 1;
    held.carried = carried;
    if (held.still >= (socket.writableLength > 0 ? UNREAD_LOOKS : SILENT_LOOKS)) socket.destroy();
    else socket.setTimeout(HTTP_DEADLINES.look);
  }

  #isProxy({ remoteAddress = '' }: Socket): boolean {
    return this.#proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
  }

  #closed(socket: Socket): void {
    const held = this.#held.get(socket);
    if (!held) return;
    this.#held.delete(socket);
    this.#all.delete(socket);
    const { sockets } = this.#networks.get(held.network)!;
    sockets.delete(socket);
    if (sockets.size === 0) this.#networks.delete(held.network);
  }
}

/** Whether a request that came whole has no answer yet: only the newest can be incomplete. */
function isOwed({ unanswered, newest }: Held): boolean {
  return unanswered > (newest?.complete === false ? 1 : 0);
}

/** HTTP/1.0 has no chunks: a proxy may have read another end of the request (RFC 9112, 6.1). */
function isUnsure({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}
