import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { type Service, startService } from '../support/service.js';

const PARTITIONS = 4;

const partitionOf = (uid: string) => Number.parseInt(uid.slice(15, 18), 16);

(hasCluster ? describe : describe.skip)('lanes on a cluster', () => {
  let cluster: CitusCluster;
  let service: Service;
  let partner: TestPartner;
  let api: PartnerApi;
  let partition: number;

  beforeAll(async () => {
    cluster = await CitusCluster.start(PARTITIONS);
    service = await startService(cluster.url, { LEDGER_PARTITIONS: String(PARTITIONS), ROLE: 'api' });
    // A move may take as long as thousands of transfers.
    partner = await new OperatorApi(service.url).partner(['1000000.00', '0.00']);
    partition = partitionOf(partner.accounts[0]!);
    api = await PartnerApi.login(service.url, partner.credentials);
    expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await cluster?.stop();
  }, 30_000);

  it('go to the node that has the partition: no other one hears of a transfer', async () => {
    await cluster.countStatements();
    for (let i = 0; i < 10; i++) expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
    const writes = await cluster.writesByNode();
    const home = (await cluster.nodes()).get(partition)!;
    expect(writes.get(home)!.join('\n')).toMatch(/insert into event/);
    expect([...writes].filter(([node, texts]) => node !== home && texts.length > 0)).toEqual([]);
  });

  it.each(['block_writes', 'force_logical'])(
    'go after a partition that moves (%s), and nothing is lost',
    async (mode) => {
      const before = Number((await api.balance(partner.accounts[1]!)).available);
      const from = (await cluster.nodes()).get(partition)!;
      let moving = true;
      const moved = cluster.move(partition, from === 'w1' ? 'w2' : 'w1', mode).finally(() => (moving = false));
      let done = 0;
      while (moving) {
        // A change-over may outlast a command's deadline on a slow machine: it is repeated under its key then.
        const key = `${mode}-${done}`;
        const answer = await api.transfer(partner.accounts[1]!, '1.00', key);
        expect([201, 503]).toContain(answer.status);
        if (answer.status === 201) done += 1;
      }
      await moved;
      for (let i = 0; i < 5; i++) expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
      expect((await cluster.nodes()).get(partition)).not.toBe(from);
      expect(Number((await api.balance(partner.accounts[1]!)).available)).toBe(before + done + 5);
      await cluster.verify();
    },
    60_000,
  );
});
