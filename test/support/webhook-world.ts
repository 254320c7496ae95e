import { expect } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { createDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { PartnerReceiver } from './partner-receiver.js';
import { PAYER } from './pix-edge.js';
import { type Service, startService } from './service.js';

/** A service, a partner of it, and the partner's receiver of webhooks, which is a process of its own. */
export class WebhookWorld {
  private constructor(
    readonly database: TestDatabase,
    readonly service: Service,
    readonly operator: OperatorApi,
    readonly partner: TestPartner,
    readonly session: PartnerApi,
    readonly receiver: PartnerReceiver,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<WebhookWorld> {
    const database = await createDatabase();
    const service = await startService(database.url, { WEBHOOK_RETRY_SCHEDULE: '0s,200ms,2s', ...settings });
    const operator = new OperatorApi(service.url);
    const partner = await operator.partner(['100.00']);
    const session = await PartnerApi.login(service.url, partner.credentials);
    const receiver = await PartnerReceiver.start([partner.webhookSecret]);
    return new WebhookWorld(database, service, operator, partner, session, receiver);
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await this.service.stop();
    await this.database.drop();
  }

  /** Has a test message sent to a path of the receiver. @returns the delivery's identifier */
  send(path: string, header: Record<string, string> = {}): Promise<string> {
    return this.sendTo(this.receiver.url(path), header);
  }

  async sendTo(url: string, header: Record<string, string> = {}): Promise<string> {
    const answer = await this.session.post('/webhooks/test', { url, ...header });
    expect(answer.status).toBe(202);
    return answer.body.data.deliveryId;
  }

  /** Has a deposit paid that is told of at a path of the receiver. @returns the delivery's identifier */
  async paidIn(path: string, taxNumber: string, header: Record<string, string> = {}): Promise<string> {
    const asked = await this.session.post('/accounts/pix/cashin', {
      payment: { value: { original: '10.00' } },
      transaction: { orderId: 'pedido' },
      webhook: { url: this.receiver.url(path), ...header },
    });
    expect(asked.status).toBe(201);
    const { transaction, payment } = asked.body.data;
    const body = { qrCode: payment.qrCode, payer: { ...PAYER, taxNumber } };
    expect(await call(this.service.url, 'POST', '/sandbox/pix/payments', { body })).toMatchObject({ status: 201 });
    return eventually(async () => {
      const answer = await this.session.get(`/webhooks/deliveries?transactionId=${transaction.id}`);
      return answer.body.data.items[0]?.id;
    });
  }

  async delivery(id: string): Promise<any> {
    const { body } = await this.session.get('/webhooks/deliveries?limit=100');
    return body.data.items.find((item: { id: string }) => item.id === id);
  }

  /** The delivery once it is in a status. */
  inStatus(id: string, status: string, within = 10_000): Promise<any> {
    return eventually(
      async () => {
        const found = await this.delivery(id);
        return found?.status === status && found;
      },
      { within },
    );
  }
}
