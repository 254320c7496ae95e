import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { DatabaseProxy, type MessageFault } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { cashInBody, cashOutBody } from '../support/pix-bodies.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';
import { tellEvents } from '../support/told-events.js';

/** The long form: CLUSTER_FAULTS=200 CLUSTER_COMMANDS=50000 npm run test:cluster -- test/cluster/random-faults. */
const FAULTS = Number(process.env.CLUSTER_FAULTS ?? 8);
const COMMANDS = Number(process.env.CLUSTER_COMMANDS ?? 600);
const PARTITIONS = 4;
const CONCURRENT = 12;
const SETTINGS = { LEDGER_PARTITIONS: String(PARTITIONS) };
const MESSAGE_FAULTS: MessageFault[] = ['request cut', 'answer cut', 'answer an error'];

interface Client {
  readonly partner: TestPartner;
  readonly api: PartnerApi;
  /** Done, as it was answered. */
  transfers: number;
  payouts: number;
  /** Identifiers that credits without a key were answered with, and how many had no answer that tells. */
  readonly credits: string[];
  unknown: number;
}

const seconds = (from: number, to: number) =>
  new Promise((resume) => setTimeout(resume, randomInt(from * 1000, to * 1000)));

(hasCluster ? describe : describe.skip)('a cluster with one fault after another', () => {
  let cluster: CitusCluster;
  let proxies: ReadonlyMap<string, DatabaseProxy>;
  let service: Service;
  let receiver: Receiver;
  let clients: Client[];
  let commands = 0;

  beforeAll(async () => {
    receiver = await startReceiver((response) => response.end());
    cluster = await CitusCluster.start(PARTITIONS);
    proxies = await cluster.putBehind((url) => DatabaseProxy.start(url));
    service = await startService(cluster.url, SETTINGS);
    clients = [];
    for (let i = 0; i < PARTITIONS; i++) {
      const partner = await new OperatorApi(service.url).partner(['9000000.00', '0.00', '0.00']);
      const api = await PartnerApi.login(service.url, partner.credentials);
      clients.push({ partner, api, transfers: 0, payouts: 0, credits: [], unknown: 0 });
    }
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    for (const proxy of proxies?.values() ?? []) await proxy.stop();
    await cluster?.stop();
    await receiver?.close();
  }, 30_000);

  /** As a partner would: again under its key until it is known. */
  const untilKnown = async ({ api }: Client, path: string, body: unknown) => {
    const headers = { 'idempotency-key': `random-${commands++}` };
    for (;;) {
      const { status, body: answer } = await api.post(path, body, headers);
      if (status === 201) return;
      if (status !== 503) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
      await new Promise((resume) => setTimeout(resume, 100));
    }
  };
  const webhook = () => ({ url: `http://127.0.0.1:${receiver.port}/hook` });
  const kinds: ((client: Client) => Promise<void>)[] = [
    async (client) => {
      await untilKnown(client, '/accounts/transfer', {
        refAccountCredit: client.partner.accounts[1],
        transferAmount: '1.00',
      });
      client.transfers += 1;
    },
    async (client) => {
      await untilKnown(client, '/accounts/pix/cashout', { ...cashOutBody.account('1.00'), webhook: webhook() });
      client.payouts += 1;
    },
    (client) => untilKnown(client, '/accounts/pix/cashin', { ...cashInBody.account(), webhook: webhook() }),
    async (client) => {
      commands += 1;
      const path = `/admin/accounts/${client.partner.accounts[2]}/credits`;
      const answer = await call(service.url, 'POST', path, {
        token: ADMIN_TOKEN,
        body: { amount: '1.00', reason: 'Teste' },
      });
      if (answer.status === 201) client.credits.push(answer.body.data.id as string);
      else if (answer.status === 503) client.unknown += 1;
      else throw new Error(`a credit: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
  ];

  const anyNode = () => (randomInt(2) === 0 ? 'w1' : 'w2');
  const faults: Record<string, () => Promise<void>> = {
    'a worker is killed': async () => {
      const node = anyNode();
      await cluster.kill(node);
      await seconds(0, 2);
      await cluster.revive(node);
    },
    'the coordinator is killed': async () => {
      await cluster.kill('coord');
      await seconds(0, 2);
      await cluster.revive('coord');
    },
    'a worker hangs': async () => {
      const thaw = await cluster.freeze(anyNode());
      await seconds(0, 3);
      thaw();
    },
    'a connection is cut at some message': async () => {
      const fault = MESSAGE_FAULTS[randomInt(MESSAGE_FAULTS.length)]!;
      proxies.get(anyNode())!.failAtMessage(randomInt(30), fault);
      await seconds(0, 1);
    },
    'the network of a worker is silent': async () => {
      const proxy = proxies.get(anyNode())!;
      proxy.stall(true);
      await seconds(0, 3);
      proxy.stall(false);
    },
    'a partition moves': async () => {
      const partition = randomInt(PARTITIONS + 1);
      const from = (await cluster.nodes()).get(partition);
      const mode = randomInt(2) === 0 ? 'force_logical' : 'block_writes';
      await cluster.move(partition, from === 'w1' ? 'w2' : 'w1', mode);
    },
  };

  it('loses nothing and doubles nothing', async () => {
    let isOver = false;
    const load = Array.from({ length: CONCURRENT }, async (_, i) => {
      for (let turn = i; !isOver || commands < COMMANDS; turn++) {
        // Of six commands three are transfers, one each of the others.
        await kinds[Math.max(0, (turn % 6) - 2)]!(clients[(turn + i) % clients.length]!);
      }
    });
    const failed = Promise.all(load).catch((error: unknown) => {
      isOver = true;
      throw error;
    });
    const names = Object.keys(faults);
    for (let i = 0; i < FAULTS && !isOver; i++) {
      const name = names[i % names.length]!;
      // A node that is not ready yet refuses a move: then it is another fault's turn.
      await faults[name]!().catch((error: unknown) => {
        if (name !== 'a partition moves') throw error;
      });
      await seconds(0, 1);
    }
    isOver = true;
    await failed;

    expect(commands).toBeGreaterThanOrEqual(COMMANDS);
    await eventually(async () => (await call(service.url, 'GET', '/health/ready')).status === 200, { within: 30_000 });
    await tellEvents(cluster);
    for (const { partner, api, transfers, credits, unknown } of clients) {
      const received = async (account: string) => Number((await api.balance(account)).available);
      expect(await received(partner.accounts[1]!)).toBe(transfers);
      const events = await cluster.query<{ id: string }>(
        `select data->>'id' as id from told.event where type = 'AccountCredited' and data->>'uid' = $1`,
        [partner.accounts[2]],
      );
      const ids = events.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(credits.filter((id) => !ids.includes(id))).toEqual([]);
      expect(ids.length).toBeLessThanOrEqual(credits.length + unknown);
      expect(await received(partner.accounts[2]!)).toBe(ids.length);
    }
    const payouts = clients.reduce((sum, one) => sum + one.payouts, 0);
    const settled = async () => {
      const [{ count }] = (await cluster.query<{ count: string }>(
        `select count(*) from event where type = 'CashOutCompleted'`,
      )) as [{ count: string }];
      return Number(count) === payouts;
    };
    await eventually(settled, { within: 60_000 });
    expect(await cluster.query('select count(*)::int as paid from sandbox.payment_out')).toEqual([{ paid: payouts }]);
    const told = () =>
      new Set(
        receiver.received.flatMap(({ body }) => {
          const { id, transactionState } = JSON.parse(body) as Record<string, string>;
          return transactionState === 'Completed' ? id : [];
        }),
      );
    await eventually(() => told().size === payouts, { within: 60_000 });
    await cluster.verify(SETTINGS);
  }, 3_600_000);
});
