import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const CONNECTIONS_OF_NODE = 'http.server.connections';

interface NodeConnections {
  active(): readonly { readonly socket: Socket | null }[];
}

/**
 * The connections on which a request has begun and not ended, oldest first, and those on which nothing has come. Node
 * keeps them for its deadlines, under a symbol of its own.
 */
export function sending(server: Server): Socket[] {
  const symbol = Object.getOwnPropertySymbols(server).find(({ description }) => description === CONNECTIONS_OF_NODE);
  const list = symbol && (server as unknown as Record<symbol, NodeConnections | undefined>)[symbol];
  return (list?.active() ?? []).flatMap(({ socket }) => socket ?? []);
}
