import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FREE, LEASED_UNTIL } from '../../src/event-store/index.js';
import { REFUSED_MS, refusedSince } from '../../src/event-store/work/refusals.js';
import { call } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { LEGS, Visit } from '../support/every-route.js';
import { partitionFaults, serverTimesWritten, tablesOf } from '../support/partition-check.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';
import { type RecordedStatement, StatementRecorder } from '../support/statement-recorder.js';

/**
 * An API process and a worker, each behind a proxy that notes its statements, are led through every route. Whatever
 * ran must be for one partition; what need not is named here with its reason.
 */

/** By the names of their connections. Migrations have one of their own, and belong to no partition. */
const SERVICE = ['background', 'lane', 'look-ups', 'news', 'reads', 'registry'].map((purpose) => `payments ${purpose}`);

/** Statements that ask all partitions, by their name. None of them writes or locks. */
const OF_ALL_PARTITIONS: Record<string, string> = {
  'home-partition-emptiest': 'operator: where a new partner is to live',
  'pix-movements-above': 'operator: the reconciliation of a day',
  'pix-movements-between': 'operator: the reconciliation of a day',
  'checkpoint-newest-of-all': 'audit: an export, which is of all partitions or fails',
  'event-of-any-partition': 'start: whether there are events, where a fingerprint is missing',
  'audit-heads': 'audit: what there is to be verified; one row a partition',
  'audit-newest-time': 'audit: the newest event; one row a partition',
};

/** Routes that are not a partner's or an operator's, and touch no table of the ledger. */
const WITHOUT_LEDGER = [
  ...['/health/live', '/health/ready', '/pix/jwks', '/sandbox/pix/behaviour'],
  '/.well-known/ledger-verifier-keys',
];

let database: TestDatabase;
let recorders: StatementRecorder[];
let services: Service[];
let receiver: PartnerReceiver;
let partitioned: Set<string>;
let visit: Visit;

beforeAll(async () => {
  database = await createDatabase();
  recorders = [await StatementRecorder.start(database.url), await StatementRecorder.start(database.url)];
  const url = { PUBLIC_URL: 'https://pix.exemplo.br', CHECKPOINT_INTERVAL_SECONDS: '1' };
  services = [await startService(recorders[0]!.url, { ROLE: 'api', ...url })];
  services.push(await startService(recorders[1]!.url, { ROLE: 'worker', ...url }));
  receiver = await PartnerReceiver.start([]);
  // A distributed database names its shards after the table and a number of six digits.
  const columns = await database.query<{ table_name: string }>(
    String.raw`select table_name from information_schema.columns
      where column_name = 'partition' and table_schema = 'public' and table_name !~ '_\d{6}$'`,
  );
  partitioned = new Set(columns.map(({ table_name }) => table_name));
  visit = new Visit(services[0]!.url, receiver, database);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await Promise.all((services ?? []).map((service) => service.stop()));
  await Promise.all((recorders ?? []).map((recorder) => recorder.stop()));
  await database?.drop();
});

/** What the service's own connections sent, each text once. */
function statements(): RecordedStatement[] {
  const all = recorders
    .flatMap((recorder) => recorder.statements)
    .filter(({ application }) => application.startsWith('payments ') && application !== 'payments migrations');
  return [...new Map(all.map((one) => [`${one.application}\n${one.text}`, one])).values()];
}

/** `verify` looks for partitions without a head: one index look-up in each table for every partition. */
const WHICH_PARTITIONS = /^verify-partitions-of-/;
const isException = ({ name }: RecordedStatement) => name in OF_ALL_PARTITIONS || WHICH_PARTITIONS.test(name);

describe('every route that touches the ledger', () => {
  it.each(LEGS)('succeeds: %s', (leg) => visit[leg](), 60_000);

  it('and so do the figures of the worker', async () => {
    expect((await call(services[1]!.url, 'GET', '/metrics')).status).toBe(200);
  });
});

describe('the statements that ran', () => {
  it('are those of every kind of connection', () => {
    const seen = new Set(statements().map(({ application }) => application));
    expect([...seen].sort()).toEqual(SERVICE);
  });

  it('are those of every route', async () => {
    const { paths } = JSON.parse(await readFile('openapi.json', 'utf8')) as { paths: Record<string, object> };
    const routes = Object.entries(paths)
      .filter(([path]) => !WITHOUT_LEDGER.includes(path))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    const slash = (route: string) => route.replace(/\/$/, '');
    const seen = new Set([...visit.routes].map(slash));
    expect(routes.filter((route) => !seen.has(slash(route)))).toEqual([]);
  });

  it('touch every table that has partitions, and those only by name', async () => {
    const touched = new Set<string>();
    for (const { text } of statements()) for (const table of await tablesOf(text)) touched.add(table);
    // A subject is forgotten by the CLI, not by a route.
    const missed = [...partitioned].filter((table) => !touched.has(table) && table !== 'forgotten_subject');
    expect(missed).toEqual([]);
  });

  it('name the partition in their condition, wherever they touch a table that has one', async () => {
    const faults: string[] = [];
    for (const statement of statements()) {
      if (isException(statement)) continue;
      for (const fault of await partitionFaults(statement.text, partitioned)) {
        faults.push(`${statement.application}, ${statement.name || 'unnamed'}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('are exceptions only for reads over all partners, never on a lane', async () => {
    for (const { text, application } of statements().filter(isException)) {
      expect(application).not.toBe('payments lane');
      expect(text).not.toMatch(/\b(insert|update|delete|for (update|share))\b/i);
    }
    const ran = new Set(statements().map(({ name }) => name));
    expect(Object.keys(OF_ALL_PARTITIONS).filter((name) => !ran.has(name))).toEqual([]);
  });

  it('are no exceptions where a worker does its work, but for the reconciliation of a day', () => {
    const worker = recorders[1]!.statements.filter(isException).map(({ name }) => name);
    const ofDay = ['pix-movements-above', 'pix-movements-between'];
    expect(worker.filter((name) => !ofDay.includes(name))).toEqual([]);
  });

  it("never write the server's own time, except where all processes must judge by one clock", async () => {
    const judged: Record<string, string> = {
      [FREE]: 'true',
      [LEASED_UNTIL]: 'null',
      [REFUSED_MS]: 'null as refused_ms',
    };
    for (const ms of ['n.refused_ms', '$5::float8']) judged[refusedSince(ms)] = 'null';
    const faults: string[] = [];
    for (const { text, name } of statements()) {
      const rest = Object.entries(judged).reduce((left, [part, other]) => left.replaceAll(part, other), text);
      const times = await serverTimesWritten(rest);
      if (times.length > 0) faults.push(`${name}: ${times.join(', ')}`);
    }
    expect(faults).toEqual([]);
  });

  it('notify on a connection of their own, which has no transactions', () => {
    const notifying = statements().filter(({ text }) => /\b(pg_notify|listen|notify)\b/i.test(text));
    expect(new Set(notifying.map(({ application }) => application))).toEqual(new Set(['payments news']));
    expect(notifying.map(({ text }) => text).sort()).toEqual([
      'listen "ledger_limits"',
      'listen "ledger_news"',
      'select pg_notify($1, $2)',
    ]);
    const others = statements().filter(
      ({ application, text }) => application === 'payments news' && !notifying.some((one) => one.text === text),
    );
    expect(others).toEqual([]);
  });
});
