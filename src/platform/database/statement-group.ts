import { type Connection, type FieldDef, type Submittable, types } from 'pg';
import { encodeArray } from './array-parameter.js';

/** A prepared statement. Array parameters say their type by a cast: `$2::uuid[]`. */
export interface PipelinedStatement {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown[];
}

export type Row = Record<string, unknown>;

/** What the server answered to one statement. */
export interface StatementResult {
  /** The command's tag, as `COMMIT` or `INSERT 0 5`. */
  readonly tag: string;
  readonly rows: readonly Row[];
}

/** Statements that a connection's server knows by name; `doubtful`: sent, but an error came before its answer. */
export type PreparedStatements = Map<string, 'known' | 'doubtful'>;

type Parameter = Buffer | string | null;

/**
 * Statements sent together with one synchronisation at their end (PostgreSQL documentation, "Pipelining"): the server
 * answers all of them in one go, and after an error it skips the rest.
 */
export class StatementGroup implements Submittable {
  readonly answered: Promise<StatementResult[]>;
  /** pg's client calls and replaces it: its time limit hangs on it. */
  callback: (error: Error | null) => void;
  readonly #results: StatementResult[] = [];
  #rows: Row[] = [];
  #columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[] = [];

  constructor(
    private readonly statements: readonly PipelinedStatement[],
    private readonly prepared: PreparedStatements,
  ) {
    let settle: typeof this.callback | undefined;
    this.answered = new Promise((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve(this.#results));
    });
    this.callback = settle!;
  }

  /** @returns an error when a parameter cannot be sent; then nothing was sent */
  submit(connection: Connection): Error | null {
    let parameters: Parameter[][];
    try {
      parameters = this.statements.map(parametersOf);
    } catch (error) {
      return error as Error;
    }
    connection.stream.cork();
    this.statements.forEach(({ name = '', text }, i) => {
      const state = this.prepared.get(name);
      if (name === '' || state !== 'known') {
        // Closing what does not exist is no error, preparing what exists is one.
        if (state === 'doubtful') connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
        if (name !== '') this.prepared.set(name, 'doubtful');
      }
      connection.bind({ portal: '', statement: name, values: parameters[i], binary: false } as never, true);
      connection.describe({ type: 'P', name: '' }, true);
      connection.execute(null, true);
    });
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Row = {};
    this.#columns.forEach(({ name, parse }, i) => {
      const value = fields[i]!;
      row[name] = value === null ? null : parse(value);
    });
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#results.push({ tag: text, rows: this.#rows });
    this.#rows = [];
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    for (const { name } of this.statements) if (name !== undefined) this.prepared.set(name, 'known');
    this.callback(null);
  }
}

/** The statement with its parameters as they travel: for pg's own client, which would send arrays as text. */
export function encoded<S extends PipelinedStatement>(statement: S): S & { values: Parameter[] } {
  return { ...statement, values: parametersOf(statement) };
}

function parametersOf({ text, values = [] }: PipelinedStatement): Parameter[] {
  return values.map((value, i) => (Array.isArray(value) ? encodeArray(elementTypeOf(text, i), value) : scalar(value)));
}

function parserOf(dataTypeID: number): (text: string) => unknown {
  return types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown;
}

function scalar(value: unknown): Parameter {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return JSON.stringify(value);
  }
}

const elementTypes = new Map<string, readonly string[]>();

function elementTypeOf(text: string, parameter: number): string {
  let known = elementTypes.get(text);
  if (!known) {
    const casts: string[] = [];
    for (const [, number, type] of text.matchAll(/\$(\d+)::(\w+)\[\]/g)) casts[Number(number) - 1] = type!;
    elementTypes.set(text, (known = casts));
  }
  const type = known[parameter];
  if (type === undefined) throw new TypeError(`parameter $${parameter + 1} is an array: cast it, in ${text}`);
  return type;
}
