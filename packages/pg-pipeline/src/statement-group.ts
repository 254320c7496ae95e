import { type Connection, DatabaseError, type FieldDef, type Submittable, types } from 'pg';
import { encodeArray, hasEncoding, writeArray } from './array-parameter.ts';
import { FrontendMessages } from './frontend-messages.ts';

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

/** A column's name, and the parser of its text. */
interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/**
 * Statements that are prepared on a connection, by name, with the columns of their rows: these need not be described
 * again. `undefined`: sent, but an error came before its answer, or it may not stand there any more.
 */
type PreparedStatements = Map<string, readonly Column[] | undefined>;

/** Shared by the groups of one connection. One group at a time: the next one is submitted after this one's answer. */
export class GroupChannel {
  readonly prepared: PreparedStatements = new Map();
  /** Free for reuse after a group's answer: then the server has all of it. */
  readonly messages = new FrontendMessages();
}

/** What a session has prepared is gone (`DISCARD ALL`), or gives other columns since its tables were changed. */
const NOT_AS_PREPARED: readonly unknown[] = ['26000', '0A000'];

/** The index of the failed statement, by its error. */
const failed = new WeakMap<object, number>();

/** Index of the statement that failed, within its group; `undefined` for an error that is of no statement. */
export function failedStatement(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? failed.get(error) : undefined;
}

type Parameter = Buffer | string | null;

/**
 * Statements sent together with one synchronisation at their end (PostgreSQL documentation, "Pipelining"): the server
 * answers all of them in one go, and after an error it skips the rest.
 */
export class StatementGroup implements Submittable {
  readonly answered: Promise<StatementResult[]>;
  /** pg's client calls and replaces it, for its timeout. */
  callback: (error: Error | null) => void;
  readonly #results: StatementResult[] = [];
  #rows: Row[] = [];
  /** By statement; absent until the server has described them. */
  readonly #columns: (readonly Column[] | undefined)[] = [];

  readonly #statements: readonly PipelinedStatement[];
  readonly #channel: GroupChannel;

  constructor(statements: readonly PipelinedStatement[], channel: GroupChannel) {
    this.#statements = statements;
    this.#channel = channel;
    let settle: typeof this.callback | undefined;
    this.answered = new Promise((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve(this.#results));
    });
    this.callback = settle!;
  }

  /** @returns an error when a parameter cannot be sent; then nothing was sent */
  submit(connection: Connection): Error | null {
    const { messages } = this.#channel;
    messages.clear();
    for (const [i, statement] of this.#statements.entries()) {
      try {
        this.#add(statement);
      } catch (error) {
        failed.set(error as Error, i);
        return error as Error;
      }
    }
    messages.sync();
    if (connection.stream.writable) connection.stream.write(messages.whole());
    return null;
  }

  #add({ name = '', text, values = [] }: PipelinedStatement): void {
    const { messages, prepared } = this.#channel;
    const known = name === '' ? undefined : prepared.get(name);
    this.#columns.push(known);
    if (!known) {
      // Closing what does not exist is no error, preparing what exists is one.
      if (prepared.has(name)) messages.closeStatement(name);
      messages.parse(name, text);
      if (name !== '') prepared.set(name, undefined);
    }
    messages.bind(
      name,
      values.map((value, i) => {
        if (Array.isArray(value)) return (out) => writeArray(out, elementTypeOf(text, i), value);
        const parameter = scalar(value);
        return Buffer.isBuffer(parameter) ? (out) => out.bytes(parameter) : parameter;
      }),
    );
    if (!known) messages.describe();
    messages.execute();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#columns[this.#results.length] = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns[this.#results.length]!;
    const row: Row = {};
    for (let i = 0; i < columns.length; i++) {
      const { name, parse } = columns[i]!;
      const value = fields[i]!;
      row[name] = value === null ? null : parse(value);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#results.push({ tag: text, rows: this.#rows });
    this.#rows = [];
  }

  /** Of a statement that is nothing but a comment, say: it has no tag. */
  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: Error): void {
    // An error of the connection, or a time limit, is of no statement: it may come after the last one was run.
    if (error instanceof DatabaseError) {
      failed.set(error, this.#results.length);
      if (NOT_AS_PREPARED.includes(error.code)) this.#prepareAnew();
    }
    this.callback(error);
  }

  /** Else it would fail for as long as the connection lives. */
  #prepareAnew(): void {
    const { prepared } = this.#channel;
    for (const name of prepared.keys()) prepared.set(name, undefined);
  }

  handleReadyForQuery(): void {
    const { prepared } = this.#channel;
    for (const [i, { name }] of this.#statements.entries()) {
      if (name !== undefined) prepared.set(name, this.#columns[i] ?? []);
    }
    this.callback(null);
  }
}

/**
 * The statement with encoded arrays: for pg's own client, which would send them as text. Arrays without a cast stay as
 * they are, and so do those of a type that has no encoding here.
 */
export function encoded<S extends PipelinedStatement>(statement: S): S & { values: unknown[] } {
  const { text, values = [] } = statement;
  const types = elementTypesOf(text);
  return {
    ...statement,
    values: values.map((value, i) =>
      Array.isArray(value) && hasEncoding(types[i]) ? encodeArray(types[i], value) : value,
    ),
  };
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

/** The element types of a statement's parameters that are cast to arrays. */
function elementTypesOf(text: string): readonly (string | undefined)[] {
  let known = elementTypes.get(text);
  if (!known) {
    const casts: string[] = [];
    for (const [, number, type] of text.matchAll(/\$(\d+)::(\w+)\[\]/g)) casts[Number(number) - 1] = type!;
    elementTypes.set(text, (known = casts));
  }
  return known;
}

function elementTypeOf(text: string, parameter: number): string {
  const type = elementTypesOf(text)[parameter];
  if (type === undefined) throw new TypeError(`parameter $${parameter + 1} is an array: cast it, in ${text}`);
  return type;
}
