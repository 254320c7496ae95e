import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';

const PARTITIONS = 8;
const SETTINGS = { LEDGER_PARTITIONS: String(PARTITIONS) };

const LOGIN = 'payments_app';
/** Citus does not tell nodes of roles that are older than it is. */
const MAKE_LOGIN = `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${LOGIN}') then
      create role ${LOGIN} login in role payments_service;
    end if;
  end $$`;

/**
 * From one server to a cluster of two nodes, to one of three, and back to two, with a service at work all the way,
 * which has a login of its own, as in production.
 */
(hasCluster ? describe : describe.skip)('a filled database that grows', () => {
  let cluster: CitusCluster;
  let service: Service;
  let clients: { readonly partner: TestPartner; readonly api: PartnerApi }[];
  let urls: { readonly DATABASE_URL: string; readonly MIGRATION_DATABASE_URL: string };
  let transfers = 0;

  beforeAll(async () => {
    cluster = await CitusCluster.apart();
    await cluster.query('create role payments_service nologin');
    await cluster.query(MAKE_LOGIN);
    const login = new URL(cluster.url);
    login.username = LOGIN;
    urls = { DATABASE_URL: login.href, MIGRATION_DATABASE_URL: cluster.url };
    service = await startService(login.href, { ...SETTINGS, ...urls });
    const operator = new OperatorApi(service.url);
    clients = [];
    for (let i = 0; i < PARTITIONS; i++) {
      const partner = await operator.partner(['10000.00', '0.00']);
      clients.push({ partner, api: await PartnerApi.login(service.url, partner.credentials) });
    }
    for (let i = 0; i < 200; i++) await transfer();
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await cluster?.stop();
  }, 30_000);

  /** As a partner would: again under its key until it is known. */
  const transfer = async () => {
    const key = `growing-${transfers}`;
    const { partner, api } = clients[transfers++ % clients.length]!;
    for (;;) {
      const { status } = await api.transfer(partner.accounts[1]!, '1.00', key);
      if (status === 201) return;
      expect(status).toBe(503);
      await new Promise((resume) => setTimeout(resume, 100));
    }
  };
  const ledger = (...args: string[]) => runLedger(args, { ...urls, ...SETTINGS });
  /** A command's outcome, while transfers go on. */
  const underLoad = async (command: Promise<{ code: number | null; stdout: string; stderr: string }>) => {
    let isDone = false;
    const outcome = command.finally(() => (isDone = true));
    while (!isDone) await transfer();
    return outcome;
  };
  const assertAllThere = async () => {
    const balances = await Promise.all(clients.map(({ partner, api }) => api.balance(partner.accounts[1]!)));
    expect(balances.reduce((sum, { available }) => sum + Number(available), 0)).toBe(transfers);
    const { code, stdout, stderr } = await ledger('verify');
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('OK: nothing diverges'), '']);
  };
  const leave = (node: string) =>
    cluster.query(
      `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) from pg_dist_node where groupid = $1`,
      [Number(node.slice(1))],
    );
  const sizes = async () => {
    const counts = new Map<string, number>();
    for (const node of (await cluster.nodes()).values()) counts.set(node, (counts.get(node) ?? 0) + 1);
    return [...counts.values()].sort();
  };

  it('needs nodes that take its rows, and says so', async () => {
    await cluster.query('create extension citus');
    const { code, stderr } = await ledger('distribute', '--move');
    expect([code, stderr]).toEqual([2, expect.stringContaining('No node takes shards. Add the nodes')]);
    await cluster.query('drop extension citus');
  }, 60_000);

  it('is not moved to nodes that do not let the service in', async () => {
    await cluster.join();
    const { code, stdout, stderr } = await ledger('distribute', '--move');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^The service's login is not let in at 127\.0\.0\.1:\d+: .*Nothing was moved\./);
    await transfer();
    await cluster.onEach(MAKE_LOGIN);
  }, 60_000);

  it('becomes a cluster under load: nothing is lost or refused for good, nodes are even, no row stays behind', async () => {
    const { code, stdout, stderr } = await underLoad(ledger('distribute', '--move'));
    expect([code, code === 0 && !stderr.includes('NOT OK') ? '' : stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^The ledger verifies, before the move\.\n[^]*\nevent: [\d.]+ s\n[^]*\nWrites were stopped for [\d.]+ s\.\n/,
    );
    for (let i = 0; i < 50; i++) await transfer();
    await assertAllThere();
    expect(await sizes()).toEqual([4, 5]);
    const shards = await cluster.query(
      `select count(distinct get_shard_id_for_distribution_column('log_head', p)) from generate_series(0, $1::int) p`,
      [PARTITIONS],
    );
    expect(shards).toEqual([{ count: String(PARTITIONS + 1) }]);
    const left = await cluster.query(
      `select logicalrelid::text from pg_dist_partition where pg_relation_size(logicalrelid) > 0`,
    );
    expect(left).toEqual([]);
    const again = await ledger('distribute', '--move');
    expect(again.stdout).toMatch(/^Nothing was left to be done: \d+ tables in shards by partition/);
  }, 180_000);

  it('keeps its history from being changed on every node', async () => {
    await expect(cluster.query(`delete from event where partition = 1 and position = 1`)).rejects.toThrow(/append/i);
  });

  it('spreads to a node that joins, one partition after another, while transfers go on', async () => {
    expect((await ledger('placement', '--seconds', '1')).stdout).toMatch(/No move would even them out\.\n$/);
    const added = await cluster.add();
    const proposed = await ledger('placement', '--seconds', '1');
    const lines = /^proposed: partition \d+: 127\.0\.0\.1:\d+ -> 127\.0\.0\.1:\d+$/gm;
    expect(proposed.stdout.match(lines)?.length).toBeGreaterThanOrEqual(2);
    const refused = await ledger('placement', '--seconds', '1', '--apply');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/is not let in at .*Nothing was moved/)]);
    expect(await sizes()).toEqual([4, 5]);
    await cluster.onEach(MAKE_LOGIN);
    const { code, stdout, stderr } = await underLoad(ledger('placement', '--seconds', '1', '--apply'));
    expect([code, stderr]).toEqual([0, '']);
    const moved = stdout.match(/^moved: /gm)!.length;
    expect(moved).toBeGreaterThanOrEqual(2);
    expect([...(await cluster.nodes()).values()].filter((node) => node === added)).toHaveLength(moved);
    for (let i = 0; i < 50; i++) await transfer();
    await assertAllThere();
  }, 180_000);

  it('says which partitions are away while their node lets the service in no more', async () => {
    const away = async () =>
      (await call(service.url, 'GET', '/health/ready')).body.details?.partitions?.away as number[] | undefined;
    const onNode = [...(await cluster.nodes())].flatMap(([partition, node]) =>
      node === 'w2' && partition > 0 ? [partition] : [],
    );
    onNode.sort((one, other) => one - other);
    const here = '(select groupid from pg_dist_local_group) = 2';
    await cluster.onEach(`do $$ begin if ${here} then alter role ${LOGIN} nologin; end if; end $$`);
    await cluster.onEach(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${LOGIN}' and ${here}`,
    );
    await eventually(async () => (await away())?.length === onNode.length);
    expect(await away()).toEqual(onNode);
    await cluster.onEach(`do $$ begin if ${here} then alter role ${LOGIN} login; end if; end $$`);
    await eventually(async () => (await away()) === undefined);
  }, 60_000);

  it('puts partitions that are made later where the fewest are', async () => {
    const made = await runLedger(['migrate'], { ...urls, ...SETTINGS, LEDGER_PARTITIONS: '11' });
    expect(made.stdout).toContain('made partitions 9, 10, 11');
    expect(await sizes()).toEqual([4, 4, 4]);
  }, 60_000);

  it('does one move at a time, and says so', async () => {
    await leave('w1');
    const [one, other] = await Promise.all([
      ledger('placement', '--seconds', '1', '--apply'),
      ledger('placement', '--seconds', '1', '--apply'),
    ]);
    const [done, refused] = one.code === 0 ? [one, other] : [other, one];
    expect([done.code, refused.code, refused.stderr.split(':')[0]]).toEqual([0, 2, 'Not moved']);
    expect(refused.stderr).toMatch(
      / -> 127\.0\.0\.1:\d+; what was moved before stays moved\. [^]*Run the command again/,
    );
  }, 180_000);

  it('leaves a node, which can be removed then, and goes on', async () => {
    const { code, stderr } = await underLoad(ledger('placement', '--seconds', '1', '--apply'));
    expect([code, stderr]).toEqual([0, '']);
    await cluster.query(`select citus_remove_node(nodename, nodeport) from pg_dist_node where groupid = 1`);
    expect([...(await cluster.nodes()).values()]).not.toContain('w1');
    for (let i = 0; i < 50; i++) await transfer();
    await assertAllThere();
    const made = await runLedger(['migrate'], { ...urls, ...SETTINGS, LEDGER_PARTITIONS: '13' });
    expect([made.stdout, made.stderr]).toEqual([expect.stringContaining('made partitions 12, 13'), '']);
  }, 180_000);
});
