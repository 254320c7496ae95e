import { connect, type Socket } from 'node:net';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  /** JSON. */
  readonly body?: string;
}

export interface RawAnswer {
  /** HTTP status; 0 where the connection broke. */
  readonly status: number;
  readonly retryAfter: boolean;
}

const HEAD_END = '\r\n\r\n';

/**
 * Requests written to sockets as they are, for load: an HTTP client takes as much of the machine as the service does for
 * its answer. Every request under way has a connection of its own; whose request is answered is used again.
 */
export class RawRequests {
  readonly #address: URL;
  readonly #idle: Socket[] = [];

  constructor(url: string) {
    this.#address = new URL(url);
  }

  /** @returns the head of a request but for its end, and the body behind it: headers may be put between them */
  parts({ method, path, token, body = '' }: RawRequest): { readonly head: string; readonly rest: string } {
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${this.#address.host}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ];
    return { head: head.join('\r\n'), rest: `${HEAD_END}${body}` };
  }

  send(text: string): Promise<RawAnswer> {
    const socket = this.#idle.pop() ?? this.#open();
    return new Promise((resolve) => {
      let received = '';
      const end = (status: number, retryAfter: boolean) => {
        socket.off('data', take).off('close', lost);
        resolve({ status, retryAfter });
      };
      const lost = () => end(0, false);
      const take = (chunk: string) => {
        received += chunk;
        const at = received.indexOf(HEAD_END);
        if (at < 0) return;
        const head = received.slice(0, at).toLowerCase();
        const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
        if (received.length < at + HEAD_END.length + length) return;
        if (head.includes('connection: close')) socket.destroy();
        else this.#idle.push(socket);
        end(Number(head.slice(9, 12)), head.includes('retry-after:'));
      };
      socket.on('data', take).once('close', lost);
      socket.write(text);
    });
  }

  /** Ends the connections that are not in use. */
  end(): void {
    this.#idle.splice(0).forEach((socket) => socket.destroy());
  }

  #open(): Socket {
    const socket = connect(Number(this.#address.port), this.#address.hostname).setNoDelay(true).setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.once('close', () => {
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return socket;
  }
}
