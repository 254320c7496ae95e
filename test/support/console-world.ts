import type { Browser } from 'playwright-core';
import { OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { startBrowser } from './browser.js';
import { createDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { followed } from './followed.js';
import { type Service, startService } from './service.js';
import { type Receiver, startReceiver } from './webhook-receiver.js';

/** A service with something to look at, a browser, and a partner's receiver whose answer can be changed. */
export interface ConsoleWorld {
  readonly database: TestDatabase;
  readonly service: Service;
  readonly browser: Browser;
  readonly operator: OperatorApi;
  readonly partner: TestPartner;
  readonly api: PartnerApi;
  readonly receiver: Receiver;
  readonly webhook: string;
  /** What the receiver answers from now on. */
  answerWith(status: number): void;
  /** A deposit that can be paid; its notifications go to the receiver, with a custom header. */
  deposit(amount: string, orderId: string, description?: string, header?: string): Promise<string>;
  /** Until nothing is left to be told: what is answered from then on is an answer to what comes. */
  delivered(): Promise<void>;
  /** Until every event is under a signed checkpoint. */
  sealed(): Promise<void>;
  stop(): Promise<void>;
}

export async function consoleWorld(name = 'Padaria Aurora Ltda'): Promise<ConsoleWorld> {
  const database = await createDatabase();
  const service = await startService(database.url, {
    CHECKPOINT_INTERVAL_SECONDS: '1',
    LEDGER_PARTITIONS: '2',
    WEBHOOK_RETRY_SCHEDULE: '0s',
  });
  const browser = await startBrowser();
  let status = 200;
  const receiver = await startReceiver((response) => response.writeHead(status).end());
  const webhook = `http://127.0.0.1:${receiver.port}/webhooks`;
  const operator = new OperatorApi(service.url);
  const partner = await operator.partner(['5000.00', '1250.50'], { name });
  const api = await PartnerApi.login(service.url, partner.credentials);
  const deposit = async (amount: string, orderId: string, orderDescription = 'Pedido', header = 'aurora') => {
    const { body } = await api.post('/accounts/pix/cashin', {
      payment: { value: { original: amount } },
      transaction: { orderId, orderDescription },
      webhook: { url: webhook, customHeaderName: 'X-Loja', customHeaderValue: header },
    });
    return body.data.transaction.id as string;
  };
  return {
    database,
    service,
    browser,
    operator,
    partner,
    api,
    receiver,
    webhook,
    answerWith: (next) => {
      status = next;
    },
    deposit,
    delivered: async () => {
      await followed(database);
      const underWay = `select from webhook_delivery where status in ('Pending', 'Retrying')`;
      await eventually(async () => (await database.query(underWay)).length === 0);
    },
    sealed: () =>
      eventually(async () => {
        const rows = await database.query(
          `select h.position = coalesce(max(c.size), 0) as sealed
          from log_head h left join checkpoint c on c.partition = h.partition
          group by h.partition, h.position`,
        );
        return rows.every(({ sealed }) => sealed) || undefined;
      }).then(() => undefined),
    stop: async () => {
      await browser.close();
      await receiver.close();
      await service.stop();
      await database.drop();
    },
  };
}
