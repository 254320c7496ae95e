import { afterEach, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { archive, backUp, failOver, makeStandby, restore, stopServer, switchWal } from '../support/citus-drills.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

const PARTITIONS = 4;
const NODES = ['coord', 'w1', 'w2'];
const SETTINGS = { LEDGER_PARTITIONS: String(PARTITIONS) };

/** The runbooks of docs/scale.md, done. */
(hasCluster ? describe : describe.skip)('a cluster', () => {
  let cluster: CitusCluster;
  let service: Service | undefined;
  let clients: { readonly partner: TestPartner; readonly api: PartnerApi; received: number }[];

  const begin = async () => {
    cluster = await CitusCluster.start(PARTITIONS);
    service = await startService(cluster.url, SETTINGS);
    clients = [];
    for (let i = 0; i < PARTITIONS; i++) {
      const partner = await new OperatorApi(service.url).partner(['10000.00', '0.00']);
      clients.push({ partner, api: await PartnerApi.login(service.url, partner.credentials), received: 0 });
    }
  };
  afterEach(async () => {
    await service?.stop();
    await cluster?.stop();
  }, 30_000);

  /** What a client was told is done; `undefined` while its partition is away. */
  const transfer = async (client: (typeof clients)[number], key?: string) => {
    const { status } = await client.api.transfer(client.partner.accounts[1]!, '1.00', key);
    if (status === 201) client.received += 1;
    return status;
  };
  const balances = () =>
    Promise.all(clients.map(async ({ api, partner }) => Number((await api.balance(partner.accounts[1]!)).available)));

  it("goes on at a node's standby: what was answered is there", async () => {
    await begin();
    const port = await makeStandby(cluster, 'w1');
    const keys = clients.map((_, i) => ({ i, number: 0 }));
    let isOver = false;
    // Each repeats a key until it knows.
    const load = keys.map(async (key) => {
      while (!isOver) {
        const status = await transfer(clients[key.i]!, `${key.i}-${key.number}`);
        if (status === 201) key.number += 1;
        else expect(status).toBe(503);
        await new Promise((resume) => setTimeout(resume, 10));
      }
    });
    await new Promise((resume) => setTimeout(resume, 1_000));
    await cluster.kill('w1');
    await new Promise((resume) => setTimeout(resume, 1_000));
    await failOver(cluster, 'w1', port);
    const known = keys.map(({ number }) => number);
    await eventually(() => keys.every(({ number }, i) => number > known[i]! + 3), { within: 30_000 });
    isOver = true;
    await Promise.all(load);
    for (const client of clients) {
      // One that was never answered may have been done: it is repeated, and counted once.
      const { i, number } = keys[clients.indexOf(client)]!;
      if ((await transfer(client, `${i}-${number}`)) !== 201) throw new Error('the last one stays unknown');
    }
    expect(await balances()).toEqual(clients.map(({ received }) => received));
    await cluster.verify(SETTINGS);
  }, 180_000);

  it('is restored from backups of its nodes to one moment', async () => {
    await begin();
    for (const node of NODES) await archive(cluster, node);
    for (const node of NODES) await backUp(cluster, node);
    const each = async () => {
      for (const client of clients) await eventually(async () => (await transfer(client)) === 201);
    };
    for (let i = 0; i < 5; i++) await each();
    const before = await balances();
    await cluster.query(`select citus_create_restore_point('before-the-accident')`);
    await each();
    await new OperatorApi(service!.url).partner(['1.00']);
    for (const node of NODES) await switchWal(cluster, node);
    await service!.stop();
    for (const node of NODES) await stopServer(cluster, node);

    for (const node of NODES) await restore(cluster, node, 'before-the-accident');
    service = await startService(cluster.url, SETTINGS);
    clients = await Promise.all(
      clients.map(async (client) => ({
        ...client,
        api: await PartnerApi.login(service!.url, client.partner.credentials),
      })),
    );
    expect(await balances()).toEqual(before);
    expect((await cluster.query('select from partner')).length).toBe(PARTITIONS);
    await each();
    await cluster.verify(SETTINGS);
  }, 180_000);
});
