import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A statement as it went over the wire. */
export interface RecordedStatement {
  readonly text: string;
  /** Of the prepared statement; empty for an unnamed one. */
  readonly name: string;
  /** `application_name` of the connection. */
  readonly application: string;
}

/**
 * A TCP proxy in front of PostgreSQL that notes every statement: what is prepared (Parse) and what is sent whole (Query),
 * as PostgreSQL's protocol 3.0 frames them. Nothing is asked of the server, so it may be any.
 */
export class StatementRecorder {
  readonly statements: RecordedStatement[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The database's address through the proxy. */
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<StatementRecorder> {
    const target = new URL(databaseUrl);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const recorder = new StatementRecorder(server, url.href);
    server.on('connection', (client) => recorder.#relay(client, target));
    return recorder;
  }

  async stop(): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    this.server.close();
    await once(this.server, 'close');
  }

  #relay(client: Socket, target: URL): void {
    const server = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    const messages = new FrontendMessages((statement) => this.statements.push(statement));
    client.on('data', (chunk) => {
      messages.take(chunk);
      server.write(chunk);
    });
    server.on('data', (chunk) => client.write(chunk));
  }
}

const PARSE = 'P'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** Cuts what a client sends into messages, however the network cut it. */
class FrontendMessages {
  #rest = Buffer.alloc(0);
  #application: string | undefined;

  constructor(private readonly note: (statement: RecordedStatement) => void) {}

  take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      // The first message of a connection has no type byte.
      const head = this.#application === undefined ? 0 : 1;
      if (this.#rest.length < head + 4) return;
      const end = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < end) return;
      const body = this.#rest.subarray(head + 4, end);
      if (head === 0) this.#application = startupParameter(body, 'application_name') ?? '';
      else this.#message(this.#rest[0]!, body);
      this.#rest = this.#rest.subarray(end);
    }
  }

  #message(type: number, body: Buffer): void {
    const [first = '', second = ''] = body.toString('utf8').split('\0');
    const application = this.#application!;
    if (type === PARSE) this.note({ name: first, text: second, application });
    if (type === QUERY) this.note({ name: '', text: first, application });
  }
}

/** The startup message: a version, then names and values, each ended by a zero. */
function startupParameter(body: Buffer, name: string): string | undefined {
  const parts = body.subarray(4).toString('utf8').split('\0');
  const at = parts.findIndex((part, i) => i % 2 === 0 && part === name);
  return at === -1 ? undefined : parts[at + 1];
}
