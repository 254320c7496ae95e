import type { QueryResultRow } from 'pg';
import type { FixedRows, RowScan } from './fixed-rows.js';
import type { InlineProjection, RowChanges, Statement } from './inline-projection.js';
import { type Column, inserter } from './insert-rows.js';

/** How a member is stored. `hex` is bytes that the row has in hexadecimal; `bigint` is one in the row too. */
type Type = 'uuid' | 'text' | 'bigint' | 'int' | 'boolean' | 'timestamptz' | 'json' | 'jsonb' | 'hex' | 'text[]';

export interface TableDescription<Row> {
  /** Beside these members a table has `partition`. */
  readonly table: string;
  /** Every member of a row, in the order of its columns, which are named after it (`accountUid`: `account_uid`). */
  readonly columns: { readonly [Member in keyof Row & string]-?: Type };
  /** Beside the partition. Absent: the first member. */
  readonly key?: readonly (keyof Row & string)[];
  /** Members that events change in a row that stands. */
  readonly changes?: readonly (keyof Row & string)[];
  /** A handful of writes a day: a statement for each row, which tables that stand on every machine need. */
  readonly seldom?: boolean;
}

type Scalar = string | number | bigint | boolean;

interface Member<Row> {
  readonly name: keyof Row & string;
  readonly column: string;
  readonly type: Type;
  /** What PostgreSQL calls the type. */
  readonly sql: string;
  readonly stored: (row: Row) => unknown;
}

const NO_UUID = '00000000-0000-0000-0000-000000000000';
/** Before every key, as a parameter's text. */
const BEFORE_ALL: Partial<Record<Type, string>> = { uuid: NO_UUID, text: '', hex: '\\x', int: '0', bigint: '0' };

/**
 * A table of rows, described once. Everything that a projection needs is made of it: how rows are read, written and taken
 * away, how they are compared with what the log says, how they are counted and summed up.
 */
export class Table<Row extends object> {
  /** For statements of others: `uid, partner_uid, …`. */
  readonly columns: string;
  readonly #name: string;
  readonly #table: string;
  readonly #members: readonly Member<Row>[];
  readonly #key: readonly Member<Row>[];
  readonly #changed: readonly Member<Row>[];
  readonly #seldom: boolean;
  readonly #insert: (partition: number, rows: readonly Row[]) => Statement;

  constructor({ table, columns, key, changes = [], seldom = false }: TableDescription<Row>) {
    this.#table = table;
    this.#name = table.replaceAll('_', '-');
    this.#members = Object.entries<Type>(columns).map(([name, type]) =>
      memberOf<Row>(name as keyof Row & string, type),
    );
    const named = (names: readonly string[]) => this.#members.filter(({ name }) => names.includes(name));
    this.#key = key ? named(key) : this.#members.slice(0, 1);
    this.#changed = named(changes);
    this.#seldom = seldom;
    this.columns = this.#members.map(({ column }) => column).join(', ');
    const insertion = this.#members.map(({ column, sql, stored }): Column<Row> => [column, sql, stored]);
    this.#insert = inserter(`${this.#name}-insert`, table, insertion);
  }

  /** What an inline projection does with its table; its key is one column. */
  inline(): Pick<InlineProjection<Row>, 'keyOf' | 'parse' | 'load' | 'scan' | 'remove' | 'save'> {
    const { name: key, column, sql, type } = this.#key[0]!;
    const stored = (value: string) => (type === 'hex' ? Buffer.from(value, 'hex') : value);
    const ofKeys = `where partition = $1 and ${column} = any($2::${sql}[])`;
    const first = type === 'hex' ? '' : BEFORE_ALL[type]!;
    return {
      keyOf: (row) => row[key] as string,
      parse: this.parse,
      load: (partition, keys) => ({
        name: `${this.#name}-load`,
        text: `select ${this.columns} from ${this.#table} ${ofKeys}`,
        values: [partition, keys.map(stored)],
      }),
      scan: (partition, afterKey, limit) => ({
        name: `${this.#name}-scan`,
        text: `
          select ${this.columns} from ${this.#table}
          where partition = $1 and ${column} > $2::${sql} order by ${column} limit $3`,
        values: [partition, stored(afterKey ?? first), limit],
      }),
      remove: (partition, keys) => [
        {
          name: `${this.#name}-remove`,
          text: `delete from ${this.#table} ${ofKeys}`,
          values: [partition, keys.map(stored)],
        },
      ],
      save: (partition, changes) => this.save(partition, changes),
    };
  }

  readonly parse = (stored: QueryResultRow): Row => {
    const row: Record<string, unknown> = {};
    for (const { name, column, type } of this.#members) row[name] = parsed(type, stored[column]);
    return row as Row;
  };

  save(partition: number, { inserted, updated }: RowChanges<Row>): Statement[] {
    if (!this.#seldom) {
      return [
        ...(inserted.length > 0 ? [this.insert(partition, inserted)] : []),
        ...(updated.length > 0 ? [this.update(partition, updated)] : []),
      ];
    }
    return [
      ...inserted.map((row) => this.insert(partition, [row])),
      ...updated.map((row) => this.#updateOne(partition, row)),
    ];
  }

  insert(partition: number, rows: readonly Row[]): Statement {
    return this.#insert(partition, rows);
  }

  /** The keys are named twice, so that also a plan made while the table was small finds the rows by them. */
  update(partition: number, rows: readonly Row[]): Statement {
    const members = [...this.#key, ...this.#changed];
    const key = this.#key[0]!;
    const set = this.#changed.map(({ column, type }) => `${column} = n.${column}${isJson(type) ? `::${type}` : ''}`);
    return {
      name: `${this.#name}-update`,
      text: `
        update ${this.#table} t set ${set.join(', ')}
        from ${unnested(members)}
        where t.partition = $1 and t.${key.column} = any($2::${key.sql}[]) and ${this.#joined('n')}`,
      values: [partition, ...columnsOf(members, rows)],
    };
  }

  /** What stands in the table and is not as it ought to be: `position`, `key`, `field`, `expected`, `found`. */
  compare(partition: number, rows: readonly Row[]): Statement {
    const fields = this.#members.map(({ column }) => `('${column}', n.${column}::text, t.${column}::text)`);
    const differs = this.#members.map(({ column, type }) => {
      const found = isJson(type) ? `t.${column}::text` : `t.${column}`;
      return `${found} is distinct from n.${column}`;
    });
    return {
      name: `${this.#name}-compare`,
      text: `
        select n.position::text, ${this.#keyText('n.')} as key, d.field, d.expected, d.found
        from ${unnested(this.#members)}
        left join ${this.#table} t on t.partition = $1 and ${this.#joined('n')}
        cross join lateral (values ${fields.join(', ')}) as d (field, expected, found)
        where (${differs.join(' or ')}) and d.expected is distinct from d.found`,
      values: [partition, ...columnsOf(this.#members, rows)],
    };
  }

  /** As `AsyncProjection.count`, of a table with a row for each event. */
  count(partition: number, afterKey: string | null, upTo: bigint, limit: number): Statement {
    const columns = this.#key.map(({ column }) => column);
    const after = afterKey?.split('/') ?? this.#key.map(({ type }) => BEFORE_ALL[type]!);
    const parameters = this.#key.map(({ sql }, i) => `$${i + 4}::${sql}`);
    return {
      name: `${this.#name}-count`,
      text: `
        with page as (
          select ${columns.join(', ')}, position from ${this.#table}
          where partition = $1 and (${columns.join(', ')}) > (${parameters.join(', ')})
          order by ${columns.join(', ')} limit $3)
        select count(*) filter (where position <= $2)::int as counted, count(*)::int as seen, max(position) as newest,
          (select ${this.#keyText('')} from page order by ${columns.map((one) => `${one} desc`).join(', ')} limit 1)
            as last
        from page`,
      values: [partition, upTo, limit, ...after],
    };
  }

  /** How rows that no later event changes are summed up. @param only the rows of that kind are such */
  fixed(only?: { readonly member: keyof Row & string; readonly text: string }): FixedRows<Row> {
    const at = (name: string) => this.#members.findIndex((member) => member.name === name);
    const columns = this.#key.map(({ column }) => column).join(', ');
    const after = this.#key.map(({ sql }, i) => `$${i + 3}::${sql}`).join(', ');
    const shown = this.#members.map(({ column, type }) =>
      type === 'timestamptz' ? `date_part('epoch', ${column})` : column,
    );
    const scan: RowScan = {
      name: `${this.#name}-sum`,
      text: `
        select ${shown.join(', ')} from ${this.#table}
        where partition = $1 and (${columns}) > (${after}) order by ${columns} limit $2`,
      first: this.#key.map(({ type }) => BEFORE_ALL[type]!),
      position: at('position'),
      ...(only && { only: { column: at(only.member), text: only.text } }),
    };
    const textsOf = (row: Row) => this.#members.map(({ name, type }) => textOf(type, row[name]));
    return { scan, textsOf, ...(only && { has: (row) => row[only.member] === only.text }) };
  }

  #joined(alias: string): string {
    return this.#key.map(({ column }) => `t.${column} = ${alias}.${column}`).join(' and ');
  }

  #keyText(prefix: string): string {
    const columns = this.#key.map(({ column }) => `${prefix}${column}`);
    return columns.length === 1 ? `${columns[0]}::text` : columns.join(` || '/' || `);
  }

  #updateOne(partition: number, row: Row): Statement {
    const key = this.#key[0]!;
    const set = this.#changed.map(({ column, sql }, i) => `${column} = $${i + 3}${castOf(sql)}`);
    return {
      name: `${this.#name}-update`,
      text: `update ${this.#table} set ${set.join(', ')} where partition = $1 and ${key.column} = $2`,
      values: [partition, key.stored(row), ...this.#changed.map((member) => member.stored(row))],
    };
  }
}

function memberOf<Row>(name: keyof Row & string, type: Type): Member<Row> {
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { name, column, type, sql: type === 'hex' ? 'bytea' : type, stored: storedBy(name, type) };
}

function storedBy<Row>(name: keyof Row & string, type: Type): (row: Row) => unknown {
  if (type === 'hex') return (row) => Buffer.from(row[name] as string, 'hex');
  if (!isJson(type)) return (row) => row[name];
  return (row) => (row[name] === null || row[name] === undefined ? null : JSON.stringify(row[name]));
}

function parsed(type: Type, value: unknown): unknown {
  if (value === null) return null;
  if (type === 'bigint') return BigInt(value as string);
  return type === 'hex' ? (value as Buffer).toString('hex') : value;
}

/** As PostgreSQL writes it. */
function textOf(type: Type, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (isJson(type)) return JSON.stringify(value);
  // PostgreSQL and ECMAScript both write a double in the fewest digits that give it back.
  if (type === 'timestamptz') return String((value as Date).getTime() / 1000);
  const scalar = value as Scalar;
  return type === 'hex' ? `\\x${scalar}` : scalar.toString();
}

const isJson = (type: Type) => type === 'json' || type === 'jsonb';

const castOf = (sql: string) => (sql.endsWith('[]') ? `::${sql}` : '');

function unnested<Row>(members: readonly Member<Row>[]): string {
  const arrays = members.map(({ sql, type }, i) => `$${i + 2}::${isJson(type) ? 'text' : sql}[]`);
  return `unnest(${arrays.join(', ')}) as n (${members.map(({ column }) => column).join(', ')})`;
}

function columnsOf<Row>(members: readonly Member<Row>[], rows: readonly Row[]): unknown[][] {
  return members.map(({ stored }) => rows.map(stored));
}
