import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { parse } from 'yaml';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { parseScrape, type Sample, sample } from '../support/metrics.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { parsePromQl } from '../support/promql.js';
import { type Service, startService } from '../support/service.js';

/** Checks alert rules and dashboard against the metrics of a used service, and against the runbook. */

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const text = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
const rules: Rule[] = parse(await text('ops/prometheus/alerts.yml')).groups.flatMap((group: any) => group.rules);
const dashboard = JSON.parse(await text('ops/grafana/dashboard.json'));
const runbook = await text('docs/operations.md');

/** Grafana's variables, as it would substitute them. */
const filled = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'payments');
const queries: { where: string; expr: string }[] = [
  ...rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ...dashboard.panels.flatMap((panel: any) =>
    (panel.targets ?? []).map(({ expr, refId }: any) => ({
      where: `panel ${panel.title} ${refId}`,
      expr: filled(expr),
    })),
  ),
];

/** Labels that Prometheus adds to scraped metrics. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };
/** Of a service with several workers. */
const OF_WORKERS = 'worker';
/** Processes that began in the last hour. */
const YOUNG = '(time() - process_start_time_seconds < 3600)';
/** Label values that the sandbox never produces. */
const UNSEEN = ['Unavailable', 'Failed', 'Refused'];
/** Metrics that the sandbox does not have. */
const OF_PSPS = ['pix_rail_certificate_left_seconds'];

let database: TestDatabase;
let service: Service;
let receiver: PartnerReceiver;
let scrape: string;
let samples: Sample[];

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { WEBHOOK_RETRY_SCHEDULE: '0s', CHECKPOINT_INTERVAL_SECONDS: '1' });
  const partner = await new OperatorApi(service.url).partner(['100.00', '0.00']);
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
  receiver.behave('/broken', '500');
  const session = await PartnerApi.login(service.url, partner.credentials);
  await session.transfer(partner.accounts[1]!, '1.00');
  await session.transfer(partner.accounts[1]!, '1000.00');
  for (const path of ['/taken', '/broken']) {
    const answer = await session.post('/accounts/pix/cashout', {
      payment: { value: '1.00', key: { type: 'EMAIL', value: 'a@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'order' },
      webhook: { url: receiver.url(path) },
    });
    expect(answer.status).toBe(201);
  }
  await receiver.arrived('/taken', 1);
  scrape = await eventually(async () => {
    const { body } = await call(service.url, 'GET', '/metrics');
    const exhausted = sample(body, 'webhook_attempts_total', { outcome: 'exhausted' })[0] === 1;
    const signed = sample(body, 'ledger_checkpoint_size').length > 0;
    return exhausted && signed && body;
  });
  samples = parseScrape(scrape);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await database?.drop();
});

/** The problems of an expression, by the scrape. */
function faults(expr: string): string[] {
  const { selectors, grouping } = parsePromQl(expr);
  const known = new Set([...OF_PROMETHEUS.labels, OF_WORKERS, 'le']);
  const found: string[] = [];
  for (const { metric, matchers } of selectors) {
    if (OF_PROMETHEUS.metrics.includes(metric) || OF_PSPS.includes(metric)) continue;
    const own = samples.filter(({ name }) => name === metric);
    if (own.length === 0) found.push(`no such series: ${metric}`);
    for (const label of own.flatMap(({ labels }) => Object.keys(labels))) known.add(label);
    for (const { label, operator, value } of matchers) {
      if (OF_PROMETHEUS.labels.includes(label)) continue;
      const values = own.flatMap(({ labels }) => labels[label] ?? []);
      if (values.length === 0) found.push(`${metric} has no label ${label}`);
      else if (operator === '=' && !values.includes(value)) found.push(`${metric} has no ${label}="${value}"`);
      else if (operator === '=~') {
        const parts = value.split('|').filter((part) => !UNSEEN.includes(part));
        const anySeen = values.some((seen) => new RegExp(`^(?:${value})$`).test(seen));
        if (parts.length > 0 && !anySeen && value !== '5..') found.push(`${metric} has no ${label}=~"${value}"`);
      }
    }
  }
  for (const label of grouping) if (!known.has(label)) found.push(`nothing in it has the label ${label}`);
  return found;
}

describe('alert rules and dashboard', () => {
  it.each(queries)('$where asks for what the service tells', ({ expr }) => {
    expect(faults(expr)).toEqual([]);
  });

  it('fail with a name, a label or a value that the service does not export, and with broken PromQL', () => {
    expect(faults('sum(rate(http_requests_total[5m]))')).toEqual(['no such series: http_requests_total']);
    expect(faults('webhook_open_circuits{origin="x"}')).toEqual(['webhook_open_circuits has no label origin']);
    expect(faults('webhook_open_circuits{scope="orign"}')).toEqual(['webhook_open_circuits has no scope="orign"']);
    expect(faults('payments_process{role=~"worke|al"}')).toEqual(['payments_process has no role=~"worke|al"']);
    expect(faults('max by (queue) (ledger_work_due)')).toEqual(['nothing in it has the label queue']);
    expect(() => faults('sum(rate(ledger_events_total[5m])')).toThrow(/not PromQL/);
  });

  it('use every metric of the service in the dashboard', () => {
    const own = [...scrape.matchAll(/^# TYPE ((?!nodejs_|process_)\S+) /gm)].map(([, name]) => name!);
    expect(own.length).toBeGreaterThan(25);
    const shown = queries.map(({ expr }) => expr).join('\n');
    expect(own.filter((name) => !shown.includes(name))).toEqual([
      'ledger_checkpoint_signed_seconds',
      'ledger_checkpoint_refusals_total',
    ]);
  });

  it('see a single incident also where it was counted before the first scrape of its process', () => {
    const once = rules.flatMap(({ alert, expr }) => {
      const [all, sum, counter] = /(sum(?: by \(\w+\) )?)\(increase\((\w+)\[1h\]\)\) > 0/.exec(expr) ?? [];
      return all ? [{ alert, expr, all, young: `${sum}(${counter} and on (instance, worker) ${YOUNG}) > 0` }] : [];
    });
    expect(once.map(({ alert }) => alert)).toEqual([
      'UnmatchedMoney',
      'ReturnRefused',
      'ReportUnmatched',
      'WebhooksExhausted',
    ]);
    for (const { expr, all, young } of once) expect(expr).toBe(`${all} or ${young}`);
  });

  it('see the first cosignature of a process that is missing, and one of a quiet partition', () => {
    const counted = (partition: string) => sample(scrape, 'ledger_checkpoint_cosignatures_total', { partition });
    // Nothing was signed of it yet.
    expect([sample(scrape, 'ledger_checkpoint_size', { partition: '2' }), counted('2')]).toEqual([[], [0, 0]]);
    const { expr } = rules.find(({ alert }) => alert === 'WitnessSilent')!;
    expect(expr).toMatch(/\{outcome="missing"\}\[1h\]\).* unless .*\{outcome="given"\}\[30m\]\)/);
  });

  it('cover every queue, lag, batch, route, pool, rail outcome and delivery outcome', () => {
    const has = (name: string, labels: Record<string, string>) => expect(sample(scrape, name, labels)).not.toEqual([]);
    has('ledger_queue_commands', { partition: '0' });
    for (const consumer of ['entries', 'pix-rail', 'webhooks']) has('ledger_subscription_lag_seconds', { consumer });
    for (const source of ['webhooks', 'pix-send-payment', 'pix-sweep']) {
      has('ledger_work_due', { source });
      has('ledger_work_running', { source });
    }
    has('ledger_batch_commands_count', { partition: '1' });
    has('http_request_seconds_count', { route: '/partners-int/accounts/transfer', status: '201' });
    has('http_request_seconds_count', { route: '/partners-int/accounts/transfer', status: '422' });
    for (const pool of ['reads', 'background']) has('database_pool_connections', { pool, state: 'used' });
    has('pix_rail_calls_total', { operation: 'send', outcome: 'Pending' });
    for (const outcome of ['delivered', 'exhausted']) {
      expect(sample(scrape, 'webhook_attempts_total', { outcome })).toEqual([1]);
    }
  });
});

describe('a backlog that cannot be read', () => {
  it.each([
    ['work', 'ledger_work_oldest_due_seconds'],
    ['subscription', 'ledger_subscription_lag_seconds'],
    ['checkpoint', 'ledger_checkpoint_unsealed_seconds'],
  ])(
    'as %s is locked, has no series of %s while the database is up, and an alert of its own',
    async (table, metric) => {
      const { expr } = rules.find(({ alert }) => alert === 'BacklogUnread')!;
      expect(expr).toContain(metric);
      expect(expr).toMatch(/^\(.* unless .* or .*\) and on \(\) max\(database_up\) == 1$/);
      const seen = async () => {
        const { body } = await call(service.url, 'GET', '/metrics');
        // Some sources of work read other tables: the alert names each by itself.
        const labels: Record<string, string> = table === 'work' ? { source: 'pix-sweep' } : {};
        return {
          up: sample(body, 'database_up'),
          running: sample(body, 'ledger_work_running', { source: 'pix-sweep' }).length,
          isRead: sample(body, metric, labels).length > 0,
        };
      };
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        await client.query(`begin; lock table ${table} in access exclusive mode`);
        expect(await seen()).toEqual({ up: [1], running: 1, isRead: false });
      } finally {
        await client.end();
      }
      await eventually(async () => (await seen()).isRead);
    },
    30_000,
  );
});

describe('the mismatches of the last reconciled day', () => {
  const told = async ({ url }: Service) =>
    sample((await call(url, 'GET', '/metrics')).body, 'pix_reconciliation_mismatches')[0];
  /** Runs the nightly work now. */
  const reconcile = () => database.query(`update work set due_at = now() where kind = 'pix-reconcile'`);

  it('are exported by every process, also by one that has just started, until a later run finds none', async () => {
    await database.query(`
      insert into pix_movement values (1, 'PaymentOut', 'E0', 100, now() - interval '1 day', gen_random_uuid(), 1)`);
    await reconcile();
    await eventually(async () => (await told(service)) === 1);
    const another = await startService(database.url, { ROLE: 'api' });
    try {
      expect(await told(another)).toBe(1);
      await database.query(`delete from pix_movement where rail_id = 'E0'`);
      await reconcile();
      await eventually(async () => (await told(service)) === 0);
      expect(await told(another)).toBe(0);
    } finally {
      await another.stop();
    }
  }, 30_000);
});

describe('the runbook', () => {
  const sections = new Map(
    runbook.split(/^### /m).map((section) => [section.split('\n')[0]!.trim(), section] as const),
  );

  it.each(rules)('has the meaning of $alert and what to do', ({ alert, annotations, labels }) => {
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(sections.get(alert)).toMatch(/\*\*Means\.\*\*.*\n[^]*\*\*Do\.\*\*/);
  });

  it('names the consumers that are built anew where their checkpoint is beyond the log, as the command does', async () => {
    const { code, stderr } = await runLedger(['rebuild', '--projection', 'webhooks'], { DATABASE_URL: database.url });
    const [, names] = /^There is no projection webhooks, but (.*)\.$/m.exec(stderr) ?? [];
    const consumers = new Set(parseScrape(scrape).map(({ labels }) => labels.consumer));
    // The saga `schedules` has the name of an inline projection.
    const built = names!.split(', ').filter((name) => consumers.has(name) && name !== 'schedules');
    expect([code, built.length]).toEqual([2, 5]);
    const told = /For ([^]*?) run `ledger rebuild/.exec(sections.get('FollowerBehind')!)![1]!;
    expect([...told.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort()).toEqual(built.sort());
  }, 30_000);

  it('has no unknown alert', () => {
    const described = [...sections].filter(([, section]) => section.includes('**Means.**')).map(([name]) => name);
    expect(described.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});
