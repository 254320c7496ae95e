import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { DatabaseProxy, type MessageFault } from '../support/database-proxy.js';
import { type Service, startService } from '../support/service.js';

const PARTITIONS = 2;
const FAULTS: MessageFault[] = ['request cut', 'answer cut', 'answer an error'];
/** What begins the commit of a batch on a node: the lane's COMMIT, or the coordinator's first statement for it. */
const MARKERS = { true: undefined, false: Buffer.from('UPDATE public.log_head_') };

/** Everything that anybody says to a node goes through a proxy. */
(hasCluster ? describe : describe.skip)('a connection to a node that fails at any message of a commit', () => {
  let cluster: CitusCluster;
  let proxies: ReadonlyMap<string, DatabaseProxy>;

  beforeAll(async () => {
    cluster = await CitusCluster.start(PARTITIONS);
    proxies = await cluster.putBehind((url) => DatabaseProxy.start(url));
  }, 120_000);
  afterAll(async () => {
    for (const proxy of proxies?.values() ?? []) await proxy.stop();
    await cluster?.stop();
  }, 30_000);

  describe.each(['true', 'false'] as const)('with CITUS_DIRECT=%s', (direct) => {
    let service: Service;
    let partner: TestPartner;
    let api: PartnerApi;
    let proxy: DatabaseProxy;

    beforeAll(async () => {
      const settings = { LEDGER_PARTITIONS: String(PARTITIONS), ROLE: 'api', CITUS_DIRECT: direct };
      service = await startService(cluster.url, settings);
      partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
      api = await PartnerApi.login(service.url, partner.credentials);
      expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
      const partition = Number.parseInt(partner.accounts[0]!.slice(15, 18), 16);
      proxy = proxies.get((await cluster.nodes()).get(partition)!)!;
    }, 60_000);
    afterAll(() => service?.stop());

    it.each(FAULTS)(
      '%s: one effect, with a key or without',
      async (fault) => {
        const [, destination] = partner.accounts;
        const received = async () => Number((await api.balance(destination!)).available);
        const operator = new OperatorApi(service.url);
        const before = await received();
        const credits: string[] = [];
        for (let message = 0; credits.length === message; message++) {
          const { cuts } = proxy;
          proxy.failAtMessage(message, fault, MARKERS[direct]);
          const { id } = await operator.post(`/accounts/${destination}/credits`, { amount: '2.00', reason: 'Teste' });
          credits.push(id);
          if (proxy.cuts === cuts) break;
          proxy.failAtMessage(message, fault, MARKERS[direct]);
          const { status } = await api.transfer(destination!, '1.00', `${direct}-${FAULTS.indexOf(fault)}-${message}`);
          expect({ message, status }).toEqual({ message, status: 201 });
        }
        expect(credits.length).toBeGreaterThan(10);
        const events = await cluster.query(`select from event where data->>'id' = any($1)`, [credits]);
        expect(events).toHaveLength(credits.length);
        expect(await received()).toBe(before + 2 * credits.length + (credits.length - 1));
        await cluster.verify();
      },
      120_000,
    );
  });
});
