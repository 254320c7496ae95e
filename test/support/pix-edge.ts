import { call, OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { createDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { ReceiptAddresses } from '../../src/pix/queries/receipt/receipt-address.js';
import { type Service, SETTINGS, startService } from './service.js';

/** Addresses in codes, receipts and keys begin with this; the tests ask the service at its own port. */
export const PUBLIC_URL = 'https://pix.exemplo.br';

/** Nobody listens there: what is notified does not matter to these tests. */
const webhook = { url: 'http://127.0.0.1:65535/hook' };

export const PAYER = {
  name: 'Fulano de Tal',
  taxNumber: '52998224725',
  ispb: '99999008',
  branch: '0001',
  number: '1234567',
  digit: '8',
};

export interface CashIn {
  readonly id: string;
  readonly qrCode: string;
  readonly qrCodeLocation: string;
}

/** A service with the sandbox rail, and a partner in it with 1,000.00 and a second, empty account. */
export class PixEdge {
  private constructor(
    readonly database: TestDatabase,
    readonly env: Record<string, string>,
    public service: Service,
    readonly partner: TestPartner,
    public api: PartnerApi,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<PixEdge> {
    const database = await createDatabase();
    const settings = { PUBLIC_URL, ...env };
    const service = await startService(database.url, settings);
    const partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
    return new PixEdge(database, settings, service, partner, await PartnerApi.login(service.url, partner.credentials));
  }

  /** Ends the process as the system would, and starts another over the same database. */
  async killAndRestart(): Promise<void> {
    await this.service.kill('SIGKILL');
    await this.service.stop();
    this.service = await startService(this.database.url, this.env);
    this.api = this.api.on(this.service.url);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.database.drop();
  }

  /** Without a token. */
  get(path: string) {
    return call(this.service.url, 'GET', path.replace(PUBLIC_URL, ''));
  }

  /** To the sandbox, without a token. */
  sandbox(method: string, path: string, body?: unknown) {
    return call(this.service.url, method, `/sandbox/pix${path}`, { body });
  }

  pay(qrCode: string, payer: object = {}, amount?: string) {
    return this.sandbox('POST', '/payments', { qrCode, payer: { ...PAYER, ...payer }, ...(amount && { amount }) });
  }

  force(id: string, force: 'complete' | 'fail' | 'reverse') {
    return this.sandbox('POST', `/transactions/${id}/${force}`);
  }

  async behave(behaviour: object): Promise<void> {
    const answer = await this.sandbox('PUT', '/behaviour', behaviour);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  async cashIn(original: string, more: { payer?: object; expiresIn?: number; orderDescription?: string } = {}) {
    const { payer, ...transaction } = more;
    const answer = await this.api.post('/accounts/pix/cashin', {
      payment: { value: { original }, ...(payer && { payer }) },
      transaction: { orderId: 'pedido-1', ...transaction },
      webhook,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    const { transaction: created, payment } = answer.body.data;
    return { id: created.id, ...payment } as CashIn;
  }

  /** @returns the transaction's identifier */
  async cashOut(value: string, more: { key?: object; account?: object } = {}): Promise<string> {
    const { key, account } = more;
    const answer = await this.api.post('/accounts/pix/cashout', {
      payment: {
        value,
        ...(key || !account ? { key: key ?? { type: 'EMAIL', value: 'maria@example.com' } } : {}),
        recipient: { name: 'Maria Silva', cpf: '11144477735', ...(account && { account }) },
      },
      transaction: { orderId: 'pedido-2' },
      webhook,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data.transaction.id as string;
  }

  async transaction(id: string): Promise<any> {
    return (await this.api.get(`/accounts/transactions/${id}`)).body.data.transaction;
  }

  /** The transaction once it is in a state. */
  async reaches(id: string, state: string, within = 10_000): Promise<any> {
    return eventually(
      async () => {
        const transaction = await this.transaction(id);
        return transaction.state === state && transaction;
      },
      { within },
    );
  }

  async refundsOf(id: string): Promise<any[]> {
    const rows = await this.database.query<{ id: string }>('select id from transaction where refund_of = $1', [id]);
    return Promise.all(rows.map((row) => this.transaction(row.id)));
  }

  /** The address of a receipt, as a webhook would bring it. */
  async receiptAddress(id: string): Promise<string> {
    const [row] = await this.database.query<{ token: string }>(
      `select details->>'receiptToken' as token from transaction where id = $1`,
      [id],
    );
    const keyPepper = Buffer.from(SETTINGS.KEY_PEPPER, 'base64');
    return new ReceiptAddresses({ publicUrl: PUBLIC_URL, secrets: { keyPepper } }).of(id, row!.token);
  }
}
