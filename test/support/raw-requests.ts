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
  /** The end of the body: a batch says there how many of its items were refused. */
  readonly tail: string;
}

const HEAD_END = '\r\n\r\n';
const TAIL = 60;
const BROKEN: RawAnswer = { status: 0, retryAfter: false, tail: '' };
/** Where every socket's bytes arrive: they are taken out before another socket is read. */
const ARRIVED = Buffer.allocUnsafe(64 * 1_024);

/**
 * Requests written to sockets as they are, for load: an HTTP client takes as much of the machine as the service does
 * for its answer. Every request under way has a connection of its own; whose request is answered is used again.
 */
export class RawRequests {
  readonly #address: URL;
  readonly #idle: RawConnection[] = [];

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

  /** @param text a whole request, every character of it one byte */
  send(text: string): Promise<RawAnswer> {
    const connection = this.#idle.pop() ?? new RawConnection(this.#address, this.#idle);
    return connection.send(text);
  }

  /** Ends the connections that are not in use. */
  end(): void {
    this.#idle.splice(0).forEach((connection) => connection.close());
  }
}

/** One request at a time. Without Node's streams for what is read, which cost more than the rest of it. */
class RawConnection {
  readonly #socket: Socket;
  readonly #idle: RawConnection[];
  #received = '';
  #answered: ((answer: RawAnswer) => void) | undefined;

  /** @param idle where it stands while it has nothing to do */
  constructor({ hostname, port }: URL, idle: RawConnection[]) {
    this.#idle = idle;
    const callback = (length: number) => {
      this.#take(ARRIVED.toString('latin1', 0, length));
      return true;
    };
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer: ARRIVED, callback },
    });
    this.#socket.on('error', () => undefined).once('close', () => this.#lost());
  }

  send(text: string): Promise<RawAnswer> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const at = this.#received.indexOf(HEAD_END);
    if (at < 0) return;
    const head = this.#received.slice(0, at);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < at + HEAD_END.length + length) return;
    const tail = this.#received.slice(Math.max(at + HEAD_END.length, this.#received.length - TAIL));
    this.#received = '';
    if (/connection: close/i.test(head)) this.close();
    else this.#idle.push(this);
    this.#answered?.({ status: Number(head.slice(9, 12)), retryAfter: /retry-after:/i.test(head), tail });
  }

  #lost(): void {
    const at = this.#idle.indexOf(this);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#answered?.(BROKEN);
  }
}
