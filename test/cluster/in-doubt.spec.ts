import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

const PARTITIONS = 2;

/** Everything that anybody says to a node goes through a proxy. */
(hasCluster ? describe : describe.skip)('a node that is not told that what it has prepared is committed', () => {
  let cluster: CitusCluster;
  let proxies: ReadonlyMap<string, DatabaseProxy>;
  let registry: DatabaseProxy;
  let service: Service;

  beforeAll(async () => {
    cluster = await CitusCluster.start(PARTITIONS);
    proxies = await cluster.putBehind((url) => DatabaseProxy.start(url));
    registry = proxies.get((await cluster.nodes()).get(0)!)!;
    service = await startService(cluster.url, { LEDGER_PARTITIONS: String(PARTITIONS), ROLE: 'api' });
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    for (const proxy of proxies?.values() ?? []) await proxy.stop();
    await cluster?.stop();
  }, 30_000);

  it('a change of the registry is not answered as done before it counts', async () => {
    const partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
    const api = await PartnerApi.login(service.url, partner.credentials);
    const transfer = async () => (await api.transfer(partner.accounts[1]!, '1.00')).status;
    const disable = () =>
      call(service.url, 'POST', `/admin/access-keys/${partner.credentials.accessKey}/disable`, { token: ADMIN_TOKEN });
    expect(await transfer()).toBe(201);

    const { cuts } = registry;
    registry.failAtMessage(0, 'request cut', Buffer.from('COMMIT PREPARED'));
    const { status, body } = await disable();
    expect(registry.cuts).toBe(cuts + 1);
    expect({ status, body }).toMatchObject({ status: 503, body: { error: { name: 'OutcomeUnknown' } } });

    await cluster.query('select recover_prepared_transactions()');
    await eventually(async () => (await transfer()) === 401, { within: 1_000 });
    expect((await disable()).status).toBe(200);
    await cluster.verify();
  }, 60_000);

  it('and is, once the node has learnt of it', async () => {
    const partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
    const api = await PartnerApi.login(service.url, partner.credentials);
    const cut = registry.nextCut();
    registry.failAtMessage(0, 'request cut', Buffer.from('COMMIT PREPARED'));
    const disabled = new OperatorApi(service.url).post(`/access-keys/${partner.credentials.accessKey}/disable`);
    await cut;
    // The coordinator leaves out what its own session has not ended yet.
    await eventually(async () => {
      const [row] = await cluster.query<{ recovered: number }>('select recover_prepared_transactions() as recovered');
      return row!.recovered > 0;
    });
    await disabled;
    expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(401);
  }, 60_000);
});
