import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { type SignedIn, signIn } from '../support/console.js';
import { listsOf } from '../support/console-volume.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { runLedger } from '../support/ledger-fixture.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

const PARTITIONS = 8;
const TAX_NUMBER = '52998224725';

const partitionOf = (uid: string) => Number.parseInt(uid.slice(15, 18), 16);

(hasCluster ? describe : describe.skip)('the console on a cluster', () => {
  let cluster: CitusCluster;
  let service: Service;
  let session: SignedIn;
  const partners: TestPartner[] = [];

  beforeAll(async () => {
    cluster = await CitusCluster.start(PARTITIONS);
    service = await startService(cluster.url, { LEDGER_PARTITIONS: String(PARTITIONS) });
    for (let i = 0; i < PARTITIONS; i++) {
      const partner = await new OperatorApi(service.url).partner(['100.00', '0.00']);
      const api = await PartnerApi.login(service.url, partner.credentials);
      expect((await api.post('/accounts/pix/cashout', cashOutBody.account('1.00'))).status).toBe(201);
      await api.post('/accounts/transfer', { refAccountCredit: partner.accounts[1]!, transferAmount: '2.00' });
      partners.push(partner);
    }
    session = await signIn(service.url, ADMIN_TOKEN);
    await eventually(async () => {
      const { items } = await session.get('/audit/transactions?type=CashOut&state=Completed');
      return items.length === PARTITIONS;
    });
    await followed(cluster);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await cluster?.stop();
  }, 30_000);

  it('is built anew while the service goes on, every projection of it', async () => {
    const { code, stderr } = await runLedger(['rebuild'], { DATABASE_URL: cluster.url });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const api = await PartnerApi.login(service.url, partners[0]!.credentials);
    expect((await api.transfer(partners[0]!.accounts[1]!, '1.00')).status).toBe(201);
    await followed(cluster);
  });

  it('answers every list and every figure, and none is away', async () => {
    const accounts = partners.flatMap(({ uid, accounts: uids }) =>
      uids.map((account) => ({ uid: account, partner: uid, partition: partitionOf(account) })),
    );
    for (const path of listsOf({ accounts, taxNumber: TAX_NUMBER })) {
      const { partitionsAway = [] } = await session.get(path);
      expect({ path, partitionsAway }).toEqual({ path, partitionsAway: [] });
    }
  });

  it('lists the transactions of all partitions in order, page by page, whatever they are searched by', async () => {
    for (const filters of ['type=CashOut', 'amount=2.00', `taxNumber=${TAX_NUMBER}`, 'orderId=order-1', '']) {
      const whole = await pages(filters, 100);
      expect(await pages(filters, 3)).toEqual(whole);
      expect(whole).toEqual([...whole].sort().reverse());
      if (filters === 'type=CashOut' || filters === 'amount=2.00') expect(whole.length).toBe(PARTITIONS);
    }
  });

  it('says which partitions are away while a node is down, and tells what the others hold', async () => {
    const nodes = await cluster.nodes();
    const down = [...nodes].flatMap(([partition, node]) => (node === 'w2' ? [partition] : [])).sort();
    const all = (await pages('type=CashOut', 100)).map(partitionOf);
    await cluster.kill('w2');
    try {
      const found = await session.get('/audit/transactions?type=CashOut');
      expect(found.partitionsAway).toEqual(down.filter((partition) => partition !== 0));
      const listed = found.items.map(({ partition }: { partition: number }) => partition);
      expect(listed).toEqual(all.filter((partition) => !down.includes(partition)));
      const overview = await session.get('/audit/overview');
      expect(overview.partitionsAway).toEqual(down);
      expect(overview.totals.find(({ type, state }: any) => type === 'CashOut' && state === 'Completed').count).toBe(
        listed.length,
      );
      const { items, partitionsAway } = await session.get('/audit/partitions');
      expect([items.length, partitionsAway]).toEqual([PARTITIONS + 1 - down.length, down]);
      // What is away as a whole is not told as if there were nothing.
      const away = partners.find(({ accounts }) => down.includes(partitionOf(accounts[0]!)))!;
      const { status } = await session.request('GET', `/audit/transactions?partner=${away.uid}`);
      expect(status).toBe(503);
    } finally {
      await cluster.revive('w2');
    }
    await eventually(async () => (await session.get('/audit/overview')).partitionsAway.length === 0);
    await eventually(async () => (await pages('type=CashOut', 100)).length === PARTITIONS);
  }, 60_000);

  async function pages(filters: string, limit: number): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `limit=${limit}&${filters}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const page = await session.get(`/audit/transactions?${query}`);
      found.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  }
});
