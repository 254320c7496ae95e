import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { Config } from '../config/index.js';
import { networkOf } from './network-of.js';

/** A head, a head with its body, how exactly both are kept, and how often a silent connection is looked at. Milliseconds. */
export const HTTP_DEADLINES = { head: 15_000, request: 30_000, exactness: 500, look: 5_000 };
/** Looks after which a connection on which nothing moved is closed: one whose answer is not read, and any other. */
const UNREAD_LOOKS = 3;
const SILENT_LOOKS = 12;

const UNUSED = { working: false, usedOfAll: false, usedOfNetwork: false, still: 0, carried: 0 };

type Settings = Pick<Config, 'trustedProxies' | 'mostConnections' | 'mostConnectionsPerAddress'>;

interface Held {
  readonly network: string;
  /** Whether a request is at work; a connection without one waits for its next, or for the rest of it. */
  working: boolean;
  /** Whether a whole request has come since its turn to go was last looked at, among all and in its network. */
  usedOfAll: boolean;
  usedOfNetwork: boolean;
  /** Looks in a row that found as many bytes carried as the one before. */
  still: number;
  carried: number;
}

/**
 * Bounds the connections of one network, and all of them, so that who opens many, and sends or reads nothing, is in
 * nobody's way. Beyond a bound the oldest goes on which no whole request has come since its last turn (second chance);
 * one with a request at work stays. A trusted proxy's connections are those of many: only the bound on all is for it.
 */
export class Connections {
  readonly #held = new Map<Socket, Held>();
  /** Of each network, and all of them, in the order of their turns to go. */
  readonly #networks = new Map<string, Set<Socket>>();
  readonly #all = new Set<Socket>();
  readonly #proxies = new BlockList();

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
  }

  /** A whole request has come. @returns what is to be called when it is answered or its caller has gone */
  begin(socket: Socket): () => void {
    const held = this.#held.get(socket);
    if (!held) return () => undefined;
    held.working = held.usedOfAll = held.usedOfNetwork = true;
    return () => (held.working = false);
  }

  #open(socket: Socket): void {
    const { mostConnections, mostConnectionsPerAddress } = this.settings;
    const network = networkOf(socket.remoteAddress ?? '');
    const own = this.#networks.get(network) ?? new Set();
    if (own.size >= mostConnectionsPerAddress && !this.#isProxy(socket)) this.#evict(own, 'usedOfNetwork', socket);
    else if (this.#all.size >= mostConnections) this.#evict(this.#all, 'usedOfAll', socket);
    if (socket.destroyed) return;
    this.#networks.set(network, own.add(socket));
    this.#all.add(socket);
    this.#held.set(socket, { network, ...UNUSED });
    socket.once('close', () => this.#closed(socket));
  }

  /** Where all others have a request at work, the newest goes. */
  #evict(order: Set<Socket>, used: 'usedOfAll' | 'usedOfNetwork', newest: Socket): void {
    let left = 2 * order.size;
    for (const socket of order) {
      const held = this.#held.get(socket)!;
      if (!held.working && !held[used]) {
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

  /**
   * Nothing came or went for a while. Of an answer that waits to be written that is the caller's fault; what comes whole
   * has a deadline of its own.
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
    const own = this.#networks.get(held.network)!;
    own.delete(socket);
    if (own.size === 0) this.#networks.delete(held.network);
  }
}
