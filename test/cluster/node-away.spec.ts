import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { CitusCluster, hasCluster } from '../support/citus-cluster.js';
import { eventually } from '../support/eventually.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const PARTITIONS = 8;
const SETTINGS = { LEDGER_PARTITIONS: String(PARTITIONS) };
const TICKS_A_SECOND = 100;

const partitionOf = (uid: string) => Number.parseInt(uid.slice(15, 18), 16);

interface Client {
  readonly partner: TestPartner;
  readonly api: PartnerApi;
  readonly node: string;
}

(hasCluster ? describe : describe.skip)('a cluster with a node away', () => {
  let cluster: CitusCluster;
  let service: Service;
  let clients: Client[];
  let nodes: ReadonlyMap<number, string>;
  let registryNode: string;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver((response) => response.writeHead(200).end());
    cluster = await CitusCluster.start(PARTITIONS);
    service = await startService(cluster.url, SETTINGS);
    nodes = await cluster.nodes();
    registryNode = nodes.get(0)!;
    clients = [];
    for (let i = 0; i < PARTITIONS; i++) {
      const partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
      const api = await PartnerApi.login(service.url, partner.credentials);
      clients.push({ partner, api, node: nodes.get(partitionOf(partner.accounts[0]!))! });
    }
    for (const { api } of clients) await paidOut(api);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await cluster?.stop();
    await receiver?.close();
  }, 30_000);

  const paidOut = async (api: PartnerApi) => {
    const webhook = { url: `http://127.0.0.1:${receiver.port}/hook` };
    const { status, body } = await api.post('/accounts/pix/cashout', { ...cashOutBody.account('1.00'), webhook });
    expect(status).toBe(201);
    const { id } = body.data.transaction;
    await eventually(async () => {
      const { body: found } = await api.get(`/accounts/transactions/${id}`);
      return found.data?.transaction?.state === 'Completed';
    });
    await eventually(() => receiver.received.some((sent) => sent.body.includes(id) && sent.body.includes('Completed')));
  };
  const ready = (url: string) => call(url, 'GET', '/health/ready');

  it('costs an idle process little', async () => {
    const used = async () => {
      const fields = (await readFile(`/proc/${service.process.pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
    };
    // What was just done leaves timers and code to compile behind.
    await new Promise((resume) => setTimeout(resume, 4_000));
    const [before, seconds] = [await used(), 8];
    await new Promise((resume) => setTimeout(resume, seconds * 1_000));
    expect(((await used()) - before) / seconds).toBeLessThan(0.05);
  }, 20_000);

  it.each(['the node of the registry', 'another node'])(
    'goes on for the partners of the others: %s',
    async (which) => {
      const away = which === 'another node' ? (registryNode === 'w1' ? 'w2' : 'w1') : registryNode;
      const others = clients.filter(({ node }) => node !== away);
      const lost = clients.filter(({ node }) => node === away);
      expect([others.length, lost.length].every((count) => count > 0)).toBe(true);
      await cluster.kill(away);
      let second: Service | undefined;
      try {
        for (const { api, partner } of others) {
          expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
          await paidOut(api);
          await PartnerApi.login(service.url, partner.credentials);
        }
        const [{ api, partner }] = lost as [Client];
        expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(503);
        const health = await eventually(async () => {
          const answer = await ready(service.url);
          return answer.status === 200 && answer.body.details.partitions && answer;
        });
        const onNode = [...nodes].flatMap(([one, node]) => (node === away ? [one] : []));
        expect(health.body.details.partitions.away).toEqual(onNode.sort((a, b) => a - b));

        second = await startService(cluster.url, SETTINGS);
        expect((await ready(second.url)).status).toBe(200);
        const [other] = others as [Client];
        expect((await other.api.on(second.url).transfer(other.partner.accounts[1]!, '1.00')).status).toBe(201);
      } finally {
        await cluster.revive(away);
        await second?.stop();
      }
      for (const { api, partner } of lost) {
        await eventually(async () => (await api.transfer(partner.accounts[1]!, '1.00')).status === 201);
        await paidOut(api);
      }
      await new OperatorApi(service.url).partner(['1.00']);
      await eventually(async () => (await ready(service.url)).body.details.partitions === undefined);
      await cluster.verify(SETTINGS);
    },
    120_000,
  );

  it('does not let a node that hangs be felt by the partners of the others', async () => {
    const others = clients.filter(({ node }) => node !== 'w1');
    const lost = clients.filter(({ node }) => node === 'w1');
    const times = async () => {
      const taken: number[] = [];
      for (let i = 0; i < 150; i++) {
        const { api, partner } = others[i % others.length]!;
        const began = performance.now();
        expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
        taken.push(performance.now() - began);
      }
      return taken.sort((a, b) => a - b)[Math.floor(0.99 * taken.length)]!;
    };
    await times();
    const before = await times();
    const thaw = await cluster.freeze('w1');
    const refused: Promise<number>[] = [];
    try {
      for (const { api, partner } of lost) {
        refused.push(api.transfer(partner.accounts[1]!, '1.00').then(({ status }) => status));
        void api.get(`/accounts/${partner.accounts[0]!}`);
      }
      const during = await times();
      // A control that is measured beside it, and the least that a busy machine of two cores gives.
      expect(during).toBeLessThan(3 * Math.max(before, 10));
      await Promise.all(others.slice(0, 2).map(({ api }) => paidOut(api)));
      // Whoever asked the node itself is told, in time: with nothing done, or that it is not known.
      expect(new Set(await Promise.all(refused))).toEqual(new Set([503]));
    } finally {
      thaw();
    }
    for (const { api, partner } of lost) {
      await eventually(async () => (await api.transfer(partner.accounts[1]!, '1.00')).status === 201);
    }
    await cluster.verify(SETTINGS);
  }, 120_000);
});
