import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { runLedger } from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';

const PARTITIONS = 8;
const SETTINGS = { LEDGER_PARTITIONS: String(PARTITIONS) };

/** From one server to a cluster of two nodes, to one of three, with a service at work all the way. */
(hasCluster ? describe : describe.skip)('a filled database that grows', () => {
  let cluster: CitusCluster;
  let service: Service;
  let clients: { readonly partner: TestPartner; readonly api: PartnerApi }[];
  let transfers = 0;

  beforeAll(async () => {
    cluster = await CitusCluster.apart();
    service = await startService(cluster.url, SETTINGS);
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
  const ledger = (...args: string[]) => runLedger(args, { DATABASE_URL: cluster.url, ...SETTINGS });
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

  it('becomes a cluster under load: nothing is lost or refused for good, nodes are even, no row stays behind', async () => {
    await cluster.join();
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
    expect(await sizes()).toEqual([4, 5]);
    const { code, stdout, stderr } = await underLoad(ledger('placement', '--seconds', '1', '--apply'));
    expect([code, stderr]).toEqual([0, '']);
    const moved = stdout.match(/^moved: /gm)!.length;
    expect(moved).toBeGreaterThanOrEqual(2);
    expect([...(await cluster.nodes()).values()].filter((node) => node === added)).toHaveLength(moved);
    for (let i = 0; i < 50; i++) await transfer();
    await assertAllThere();
  }, 180_000);

  it('puts partitions that are made later where the fewest are', async () => {
    const made = await runLedger(['migrate'], { DATABASE_URL: cluster.url, ...SETTINGS, LEDGER_PARTITIONS: '11' });
    expect(made.stdout).toContain('made partitions 9, 10, 11');
    expect(await sizes()).toEqual([4, 4, 4]);
  }, 60_000);
});
