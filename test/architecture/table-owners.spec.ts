import { glob, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { placements } from '../../migrations/placements.js';

/** Each table is one module's. Who needs more of it asks that module. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  'event-store': [
    'event',
    'forgotten_subject',
    'idempotency',
    'log_head',
    'registry_secret',
    'secret',
    'setting_fingerprint',
    'subject_key',
    'subscription',
    'work',
  ],
  accounts: [
    'account',
    'entry',
    'hold',
    'partner',
    'partner_tax_number',
    'payee_uses',
    'scheduled_transaction',
    'secure_contact',
    'transaction',
  ],
  auth: ['access_key', 'console_session'],
  'payout-files': ['payout_file', 'payout_file_ending', 'payout_file_input'],
  pix: [
    'pix_movement',
    'pix_sweep',
    'reconciled_day',
    'reconciliation_case',
    'sandbox.behaviour',
    'sandbox.charge',
    'sandbox.infraction',
    'sandbox.payment_in',
    'sandbox.payment_out',
    'sandbox.recovery',
    'sandbox.refund_in',
    'sandbox.refund_out',
    'sandbox.task',
  ],
  med: ['infraction', 'recovery'],
  schedules: ['schedule'],
  webhooks: ['account_webhook', 'unsealed_deliveries', 'webhook_delivery'],
  inspection: ['directory_word', 'transaction_search', 'transaction_subject', 'transaction_total'],
  audit: ['auditor', 'checkpoint', 'tree_node', 'verification_run'],
  platform: ['schema_migration'],
};

/** Beyond what a module owns: what it may do there, and why. */
const GRANTS: readonly { readonly files: RegExp; readonly tables: readonly string[]; readonly why: string }[] = [
  {
    files: /^src\/audit\//,
    tables: Object.values(OWNERS).flat(),
    why: 'It holds every table against the log, behind the backs of those that write it, and rebuilds them.',
  },
  {
    files: /^src\//,
    tables: ['log_head'],
    why: 'The list of partitions; joined, it has a cluster send each part of a statement to its node.',
  },
  {
    files: /^src\/inspection\//,
    tables: ['entry', 'partner', 'transaction'],
    why: 'Back-office reads search over all partners, by indexes that partners do not need.',
  },
  {
    files: /^src\/pix\/queries\/reconciliation\/balance-comparison\.ts$/,
    tables: ['transaction'],
    why: 'One sum over all movements of a day, each with the fee that its transaction was told.',
  },
  {
    files: /^src\/med\/queries\/infractions\//,
    tables: ['account'],
    why: "An auditor of one partner reads the cases of that partner's accounts, which may be thousands.",
  },
  { files: /^src\/demo\.ts$/, tables: Object.values(OWNERS).flat(), why: 'Looks whether the database is new.' },
  {
    files: /^src\/platform\/database\/migrate\.ts$/,
    tables: ['log_head'],
    why: 'Makes the partitions that are asked for, with the tables.',
  },
];

const TABLES = Object.keys(placements).map((name) => name.replace(/^public\./, ''));
const NAMED = TABLES.map((name) => name.replace('.', String.raw`\.`)).sort((a, b) => b.length - a.length);
const USE = new RegExp(String.raw`\b(?:from|join|into|update)\s+(?:only\s+)?(${NAMED.join('|')})\b`, 'gi');
const ownerOf = (table: string) => Object.keys(OWNERS).find((module) => OWNERS[module]!.includes(table));

/** Tables that the texts of a file name: in statements, descriptions of tables, and entities. */
function tablesIn(file: string, text: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      const statement = node.getText();
      const common = new Set(
        [...statement.matchAll(/\b(\w+)\s*(?:\([\w, ]*\))?\s+as\s+(?:materialized\s+)?\(/g)].map(([, name]) => name),
      );
      for (const [, table] of statement.matchAll(USE)) if (!common.has(table)) found.add(table!.toLowerCase());
      const names = ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === 'table';
      const plain = statement.slice(1, -1);
      if (names && TABLES.includes(plain)) found.add(plain);
    }
    if (ts.isClassDeclaration(node)) for (const table of entitiesOf(node)) found.add(table);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** `@Entity('name', { schema })`, or `@Entity()` of a class that is named as its table. */
function entitiesOf(one: ts.ClassDeclaration): string[] {
  return (ts.getDecorators(one) ?? []).flatMap(({ expression }) => {
    if (!ts.isCallExpression(expression) || expression.expression.getText() !== 'Entity') return [];
    const [name, options] = expression.arguments.map((argument) => argument.getText());
    const own = one.name!.text.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    const schema = /schema: '(\w+)'/.exec(options ?? '')?.[1];
    return `${schema ? `${schema}.` : ''}${name?.slice(1, -1) ?? own}`;
  });
}

function breachesOf(file: string, text: string): string[] {
  const module = file.split('/')[1]!;
  return [...tablesIn(file, text)]
    .filter((table) => ownerOf(table) !== module)
    .filter((table) => !GRANTS.some(({ files, tables }) => files.test(file) && tables.includes(table)))
    .map((table) => `${file} uses ${table}, ${ownerOf(table) ? `which is ${ownerOf(table)}'s` : 'which OWNERS lacks'}`);
}

const sources = new Map<string, string>();

beforeAll(async () => {
  for await (const file of glob('src/**/*.ts')) {
    if (!file.endsWith('.spec.ts')) sources.set(file, await readFile(file, 'utf8'));
  }
});

describe('a table is used by the module that owns it', () => {
  it('in all sources', () => {
    expect([...sources].flatMap(([file, text]) => breachesOf(file, text))).toEqual([]);
  });

  it('and every table has one owner, whose sources name it', () => {
    expect(Object.values(OWNERS).flat().sort()).toEqual([...TABLES].sort());
    const used = new Set([...sources].flatMap(([file, text]) => [...tablesIn(file, text)]));
    // One is named by its partition (`secretTableOf`), the other by TypeORM.
    expect(TABLES.filter((table) => !used.has(table))).toEqual(['secret', 'schema_migration']);
  });

  it('and no grant is left over', () => {
    const idle = GRANTS.filter(
      ({ files, tables }) =>
        ![...sources].some(
          ([file, text]) =>
            files.test(file) &&
            [...tablesIn(file, text)].some((table) => tables.includes(table) && ownerOf(table) !== file.split('/')[1]),
        ),
    );
    expect(idle.map(({ why }) => why)).toEqual([]);
  });
});

describe('a breach is found', () => {
  it.each([
    ['a read', 'const text = `select 1 from transaction where partition = $1`;', 'transaction'],
    ['a join', "const text = 'select 1 from log_head h join webhook_delivery d on true';", 'webhook_delivery'],
    ['a write', 'const text = `insert into work (partition) values ($1)`;', 'work'],
    ['a change', 'const text = `update account set held = 1`;', 'account'],
    ['one with parts put in', 'const text = `select ${columns} from secret where partition = $1`;', 'secret'],
    ['a description', "const table = new Table<Row>({ table: 'account', columns: {} });", 'account'],
    ['an entity', "@Entity('webhook_delivery') class Row {}", 'webhook_delivery'],
    ['an entity by its class', '@Entity() class ConsoleSession {}', 'console_session'],
  ])('of %s', (_what, text, table) => {
    const file = 'src/transfers/sly.ts';
    expect(breachesOf(file, text)).toEqual([`${file} uses ${table}, which is ${ownerOf(table)}'s`]);
  });

  it('and a common table of the same name is none', () => {
    const text = 'const text = `with recursive partner (uid) as (select 1) select uid from partner`;';
    expect(breachesOf('src/transfers/fine.ts', text)).toEqual([]);
  });
});
