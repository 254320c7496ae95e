import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/index.js';
import { networkOf } from './network-of.js';

/** A head, a head with its body, how exactly both are kept, and how often a silent connection is looked at. Milliseconds. */
export const HTTP_DEADLINES = { head: 15_000, request: 30_000, exactness: 500, look: 5_000 };
/** Looks after which a connection on which nothing moved is closed: one whose answer is not read, and any other. */
const UNREAD_LOOKS = 3;
const SILENT_LOOKS = 12;

type Settings = Pick<Config, 'trustedProxies' | 'mostConnections' | 'mostConnectionsPerAddress'>;

interface Held {
  readonly network: string;
  /** The request that is at work; a connection without one waits for its next, or for the rest of it. */
  working: boolean;
  /** Looks in a row that found as many bytes carried as the one before. */
  still: number;
  carried: number;
}

/**
 * Bounds the connections of one network, and all of them, so that who opens many, and sends or reads nothing, is in
 * nobody's way. Beyond a bound the connection goes that has waited longest for a whole request; one with a request at
 * work stays. A trusted proxy's connections are those of many: only the bound on all is for it.
 */
export class Connections {
  readonly #held = new Map<Socket, Held>();
  readonly #counts = new Map<string, number>();
  /** Those that wait for a whole request, in the order in which they began to, by network and all of them. */
  readonly #waiting = new Set<Socket>();
  readonly #waitingOf = new Map<string, Set<Socket>>();
  readonly #proxies = new BlockList();

  constructor(private readonly settings: Settings) {
    for (const proxy of settings.trustedProxies) {
      const [address = '', prefix] = proxy.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      this.#proxies.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
    }
  }

  /** @param fastify its requests count as at work from the moment at which they are whole */
  guard(server: Server, fastify: FastifyInstance): void {
    server.on('connection', (socket) => this.#open(socket));
    server.on('timeout', (socket: Socket) => this.#look(socket));
    fastify.addHook('preValidation', (request, reply, next) => {
      this.#begin(request.raw, reply.raw);
      next();
    });
  }

  #open(socket: Socket): void {
    const { mostConnections, mostConnectionsPerAddress } = this.settings;
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    this.#held.set(socket, { network, working: false, still: 0, carried: 0 });
    socket.once('close', () => this.#closed(socket));
    if (count > mostConnectionsPerAddress && !this.#isProxy(socket)) this.#evict(this.#waitingOf.get(network), socket);
    else if (this.#held.size > mostConnections) this.#evict(this.#waiting, socket);
    if (!socket.destroyed) this.#wait(socket, network);
  }

  /** Where all others have a request at work, the newest goes. */
  #evict(waiting: ReadonlySet<Socket> | undefined, newest: Socket): void {
    const [oldest = newest] = waiting ?? [];
    oldest.destroy();
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const held = this.#held.get(socket);
    if (!held) return;
    held.working = true;
    this.#leave(socket, held.network);
    response.once('close', () => {
      held.working = false;
      if (!socket.destroyed) this.#wait(socket, held.network);
    });
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

  #wait(socket: Socket, network: string): void {
    this.#waiting.add(socket);
    const own = this.#waitingOf.get(network);
    if (own) own.add(socket);
    else this.#waitingOf.set(network, new Set([socket]));
  }

  #leave(socket: Socket, network: string): void {
    this.#waiting.delete(socket);
    this.#waitingOf.get(network)?.delete(socket);
  }

  #closed(socket: Socket): void {
    const held = this.#held.get(socket);
    if (!held) return;
    const { network } = held;
    this.#held.delete(socket);
    this.#leave(socket, network);
    const left = this.#counts.get(network)! - 1;
    if (left > 0) {
      this.#counts.set(network, left);
    } else {
      this.#counts.delete(network);
      this.#waitingOf.delete(network);
    }
  }
}
