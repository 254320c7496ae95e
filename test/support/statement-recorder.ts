import { DatabaseProxy } from './database-proxy.js';

/** A statement as it went over the wire. */
export interface RecordedStatement {
  readonly text: string;
  /** Of the prepared statement; empty for an unnamed one. */
  readonly name: string;
  /** `application_name` of the connection. */
  readonly application: string;
}

/** A prepared statement that was carried out. */
export type ExecutedStatement = Omit<RecordedStatement, 'text'>;

/**
 * Notes every statement that goes through a proxy in front of PostgreSQL: what is prepared (Parse) and what is sent
 * whole (Query), as PostgreSQL's protocol 3.0 frames them. Nothing is asked of the server, so it may be any.
 */
export class StatementRecorder {
  private constructor(
    readonly statements: readonly RecordedStatement[],
    /** Prepared statements as they were carried out (Bind). */
    readonly executed: readonly ExecutedStatement[],
    /** `application_name` of each group of messages that waited for an answer (Sync, Query). */
    readonly roundTrips: readonly string[],
    private readonly proxy: DatabaseProxy,
  ) {}

  static async start(databaseUrl: string): Promise<StatementRecorder> {
    const statements: RecordedStatement[] = [];
    const executed: ExecutedStatement[] = [];
    const roundTrips: string[] = [];
    const proxy = await DatabaseProxy.start(databaseUrl, () => {
      const messages = new FrontendMessages(
        (statement) => statements.push(statement),
        (statement) => executed.push(statement),
        (application) => roundTrips.push(application),
      );
      return (chunk) => messages.take(chunk);
    });
    return new StatementRecorder(statements, executed, roundTrips, proxy);
  }

  /** The database's address through the proxy. */
  get url(): string {
    return this.proxy.url;
  }

  stop(): Promise<void> {
    return this.proxy.stop();
  }
}

const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/** Cuts what a client sends into messages, however the network cut it. */
class FrontendMessages {
  #rest = Buffer.alloc(0);
  #application: string | undefined;

  constructor(
    private readonly note: (statement: RecordedStatement) => void,
    private readonly noteExecuted: (statement: ExecutedStatement) => void,
    private readonly noteRoundTrip: (application: string) => void,
  ) {}

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
    if (type === BIND) this.noteExecuted({ name: second, application });
    if (type === QUERY) this.note({ name: '', text: first, application });
    if (type === SYNC || type === QUERY) this.noteRoundTrip(application);
  }
}

/** The startup message: a version, then names and values, each ended by a zero. */
function startupParameter(body: Buffer, name: string): string | undefined {
  const parts = body.subarray(4).toString('utf8').split('\0');
  const at = parts.findIndex((part, i) => i % 2 === 0 && part === name);
  return at === -1 ? undefined : parts[at + 1];
}
