import type { QueryResultRow } from 'pg';
import type { Statement } from '../log/statement.js';
import type { FixedRows, RowScan } from './fixed-rows.js';
import type { InlineProjection, RowChanges } from './inline-projection.js';
import { type Column, isDocument, unnested as asRows } from './columns.js';
import { inserter } from './insert-rows.js';
import { STORED, type StoredType } from './stored-types.js';
import { updater } from './update-rows.js';

export interface TableDescription<Row> {
  /** Beside these members a table has `partition`. */
  readonly table: string;
  /** Every member of a row, in the order of its columns, which are named after it (`accountUid`: `account_uid`). */
  readonly columns: { readonly [Member in keyof Row & string]-?: StoredType };
  /** Beside the partition. Absent: the first member. */
  readonly key?: readonly (keyof Row & string)[];
  /** Members that events change in an existing row. */
  readonly changes?: readonly (keyof Row & string)[];
  /** Written a few times a day: one statement a row, as reference tables (copied to every node) need it. */
  readonly seldom?: boolean;
  /** Groups of members in which new rows of a batch are often alike: see `statementOfRows`. */
  readonly alike?: readonly (readonly (keyof Row & string)[])[];
}

interface Member<Row> {
  readonly name: keyof Row & string;
  readonly column: string;
  readonly type: StoredType;
  readonly stored: (row: Row) => unknown;
}

type Text = Pick<Statement, 'name' | 'text'>;

/**
 * A table of rows, described once. It makes all statements of a projection: how rows are read, written and deleted,
 * compared with the log, counted and summed. Texts of statements are made once; a call adds the values.
 */
export class Table<Row extends object> {
  /** For statements of others: `uid, partner_uid, …`. */
  readonly columns: string;
  readonly #members: readonly Member<Row>[];
  readonly #key: readonly Member<Row>[];
  readonly #changed: readonly Member<Row>[];
  readonly #seldom: boolean;
  readonly #insert: (partition: number, rows: readonly Row[]) => Statement;
  readonly #update: (partition: number, rows: readonly Row[]) => Statement;
  readonly #texts: Readonly<Record<'load' | 'scan' | 'remove' | 'compare' | 'count', Text>>;
  readonly #sum: Pick<RowScan, 'name' | 'text' | 'first'>;

  constructor({ table, columns, key, changes = [], seldom = false, alike = [] }: TableDescription<Row>) {
    const members = Object.entries<StoredType>(columns).map(([name, type]) => memberOf<Row>(name as never, type));
    const named = (names: readonly string[]) => members.filter((member) => names.includes(member.name));
    this.#members = members;
    this.#key = key ? named(key) : members.slice(0, 1);
    this.#changed = named(changes);
    this.#seldom = seldom;
    this.columns = list(members);
    const name = table.replaceAll('_', '-');
    const columnsOf = (those: readonly Member<Row>[]) => those.map(columnOf);
    const groups = alike.map((group) => named(group).map(({ column }) => column));
    this.#insert = inserter(`${name}-insert`, table, columnsOf(members), { alike: groups });
    this.#update = updater(`${name}-update`, table, columnsOf(this.#key), columnsOf(this.#changed), groups);
    this.#texts = {
      ...byKey(name, table, this.columns, this.#key[0]!),
      compare: comparison(name, table, members, this.#key),
      count: counting(name, table, this.#key),
    };
    this.#sum = summing(name, table, members, this.#key);
  }

  /** What an inline projection does with its table; its key is one column. */
  inline(): Pick<InlineProjection<Row>, 'keyOf' | 'parse' | 'load' | 'scan' | 'remove' | 'save'> {
    const { name: key, type } = this.#key[0]!;
    const { encode } = STORED[type];
    const { load, scan, remove } = this.#texts;
    const first = type === 'hex' ? '' : STORED[type].first!;
    return {
      keyOf: (row) => row[key] as string,
      parse: this.parse,
      load: (partition, keys) => ({ ...load, values: [partition, keys.map(encode)] }),
      scan: (partition, afterKey, limit) => ({ ...scan, values: [partition, encode(afterKey ?? first), limit] }),
      remove: (partition, keys) => [{ ...remove, values: [partition, keys.map(encode)] }],
      save: (partition, changes) => this.save(partition, changes),
    };
  }

  readonly parse = (stored: QueryResultRow): Row => {
    const row: Record<string, unknown> = {};
    for (const { name, column, type } of this.#members) {
      const value: unknown = stored[column];
      row[name] = value === null ? null : STORED[type].decode(value);
    }
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
      ...updated.map((row) => this.update(partition, [row])),
    ];
  }

  insert(partition: number, rows: readonly Row[]): Statement {
    return this.#insert(partition, rows);
  }

  update(partition: number, rows: readonly Row[]): Statement {
    return this.#update(partition, rows);
  }

  /** Differences of the table from the expected rows: `position`, `key`, `field`, `expected`, `found`. */
  compare(partition: number, rows: readonly Row[]): Statement {
    return { ...this.#texts.compare, values: [partition, ...arrays(this.#members, rows)] };
  }

  /** As `AsyncProjection.count`, of a table with a row for each event. */
  count(partition: number, afterKey: string | null, upTo: bigint, limit: number): Statement {
    const after = afterKey?.split('/') ?? this.#key.map(({ type }) => STORED[type].first!);
    return { ...this.#texts.count, values: [partition, upTo, limit, ...after] };
  }

  /** How rows that no later event changes are summed. @param only rows with these texts are fixed */
  fixed(only?: Readonly<Partial<Record<keyof Row & string, string>>>): FixedRows<Row> {
    const kept = only && Object.entries<string | undefined>(only).map(([name, text]) => ({ name, text: text! }));
    const at = (name: string) => this.#members.findIndex((member) => member.name === name);
    const scan: RowScan = {
      ...this.#sum,
      position: at('position'),
      ...(kept && { only: kept.map(({ name, text }) => ({ column: at(name), text })) }),
    };
    const textOf = (type: StoredType, value: unknown) =>
      value === null || value === undefined ? null : STORED[type].text(value);
    const textsOf = (row: Row) => this.#members.map(({ name, type }) => textOf(type, row[name]));
    const isFixed = (row: Row) => kept!.every(({ name, text }) => String(row[name as keyof Row]) === text);
    return { scan, textsOf, ...(kept && { has: isFixed }) };
  }
}

const columnOf = <Row>({ column, type, stored }: Member<Row>): Column<Row> => [column, STORED[type].sql, stored];

function memberOf<Row>(name: keyof Row & string, type: StoredType): Member<Row> {
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { encode } = STORED[type];
  const stored = (row: Row) => {
    const value = row[name];
    return value === null || value === undefined ? null : encode(value);
  };
  return { name, column, type, stored };
}

/** Statements that find rows by a key of one column. */
function byKey<Row>(name: string, table: string, columns: string, { column, type }: Member<Row>) {
  const { sql } = STORED[type];
  const ofKeys = `where partition = $1 and ${column} = any($2::${sql}[])`;
  return {
    load: { name: `${name}-load`, text: `select ${columns} from ${table} ${ofKeys}` },
    remove: { name: `${name}-remove`, text: `delete from ${table} ${ofKeys}` },
    scan: {
      name: `${name}-scan`,
      text: `
        select ${columns} from ${table}
        where partition = $1 and ${column} > $2::${sql} order by ${column} limit $3`,
    },
  };
}

function comparison<Row>(name: string, table: string, members: readonly Member<Row>[], key: readonly Member<Row>[]) {
  const fields = members.map(({ column }) => `('${column}', n.${column}::text, t.${column}::text)`);
  const differs = members.map(({ column, type }) => {
    const found = isDocument(type) ? `t.${column}::text` : `t.${column}`;
    return `${found} is distinct from n.${column}`;
  });
  return {
    name: `${name}-compare`,
    text: `
      select n.position::text, ${keyText(key, 'n.')} as key, d.field, d.expected, d.found
      from ${unnested(members)}
      left join ${table} t on t.partition = $1 and ${joined(key)}
      cross join lateral (values ${fields.join(', ')}) as d (field, expected, found)
      where (${differs.join(' or ')}) and d.expected is distinct from d.found`,
  };
}

function counting<Row>(name: string, table: string, key: readonly Member<Row>[]) {
  const columns = list(key);
  const read = [...new Set([...key.map(({ column }) => column), 'position'])].join(', ');
  const backwards = key.map(({ column }) => `${column} desc`).join(', ');
  return {
    name: `${name}-count`,
    text: `
      with page as (
        select ${read} from ${table}
        where partition = $1 and (${columns}) > (${keyParameters(key, 4)})
        order by ${columns} limit $3)
      select count(*) filter (where position <= $2)::int as counted, count(*)::int as seen, max(position) as newest,
        (select ${keyText(key, '')} from page order by ${backwards} limit 1) as last
      from page`,
  };
}

function summing<Row>(name: string, table: string, members: readonly Member<Row>[], key: readonly Member<Row>[]) {
  const columns = list(key);
  const shown = members.map(({ column, type }) => (type === 'timestamptz' ? `date_part('epoch', ${column})` : column));
  return {
    name: `${name}-sum`,
    text: `
      select ${shown.join(', ')} from ${table}
      where partition = $1 and (${columns}) > (${keyParameters(key, 3)}) order by ${columns} limit $2`,
    first: key.map(({ type }) => STORED[type].first!),
  };
}

const list = <Row>(members: readonly Member<Row>[]) => members.map(({ column }) => column).join(', ');

const joined = <Row>(key: readonly Member<Row>[]) => key.map(({ column }) => `t.${column} = n.${column}`).join(' and ');

const keyParameters = <Row>(key: readonly Member<Row>[], from: number) =>
  key.map(({ type }, i) => `$${from + i}::${STORED[type].sql}`).join(', ');

function keyText<Row>(key: readonly Member<Row>[], prefix: string): string {
  const columns = key.map(({ column }) => `${prefix}${column}`);
  return columns.length === 1 ? `${columns[0]}::text` : columns.join(` || '/' || `);
}

const unnested = <Row>(members: readonly Member<Row>[]) => asRows(members.map(columnOf));

function arrays<Row>(members: readonly Member<Row>[], rows: readonly Row[]): unknown[][] {
  return members.map(({ stored }) => rows.map(stored));
}
