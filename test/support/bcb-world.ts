import { expect } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { type Answer, OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { assertLedgerSound } from './audit.js';
import { type TestAuthority, testAuthority } from './certificates.js';
import { createDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { bcbSettings, ModelPsp } from './model-psp.js';
import type { PspPix } from './model-psp-books.js';
import { PartnerReceiver } from './partner-receiver.js';
import { type Service, startService } from './service.js';

interface Terms {
  readonly payer?: object;
  readonly orderDescription?: string;
  readonly expiresIn?: number;
}

/** A service over the API Pix, whose notifications reach it, and a partner in it. */
export interface BcbWorld {
  readonly authority: TestAuthority;
  readonly psp: ModelPsp;
  readonly database: TestDatabase;
  readonly service: Service;
  readonly receiver: PartnerReceiver;
  readonly partner: TestPartner;
  readonly api: PartnerApi;
  /** Of a service whose client certificate is of this authority. */
  readonly settings: (client: TestAuthority) => Record<string, string>;
  /** Of a request for a deposit. */
  readonly body: (original: string, terms?: Terms) => object;
  readonly ask: (original: string, terms?: Terms, key?: string) => Promise<Answer>;
  /** A deposit that the PSP has a charge of. */
  readonly cashIn: (original: string, terms?: Terms) => Promise<{ id: string; txid: string; qrCode: string }>;
  readonly transaction: (id: string) => Promise<any>;
  readonly reaches: (id: string, state: string) => Promise<any>;
  /** @returns the status of the answer to the PSP */
  readonly notify: (...paid: readonly PspPix[]) => Promise<number>;
  /** The PSP behaves again, after each test. */
  readonly reset: () => void;
  /** Looks first whether the ledger is sound, and every exchange fits the published document, where that is there. */
  readonly stop: () => Promise<void>;
}

export async function bcbWorld(): Promise<BcbWorld> {
  const authority = testAuthority('PSP authority');
  const [psp, database] = await Promise.all([ModelPsp.start(authority), createDatabase()]);
  const settings = (client: TestAuthority) => bcbSettings(psp, authority, client);
  const service = await startService(database.url, settings(authority));
  const partner = await new OperatorApi(service.url).partner(['100.00']);
  const receiver = await PartnerReceiver.start([partner.webhookSecret]);
  const api = await PartnerApi.login(service.url, partner.credentials);
  await eventually(() => psp.books.webhookUrl !== undefined);
  const body = (original: string, { payer, ...transaction }: Terms = {}) => ({
    payment: { value: { original }, ...(payer && { payer }) },
    transaction: { orderId: 'pedido-1', ...transaction },
    webhook: { url: receiver.url('/hook') },
  });
  const ask = (original: string, terms = {}, key?: string) =>
    api.post('/accounts/pix/cashin', body(original, terms), key === undefined ? undefined : { 'idempotency-key': key });
  const transaction = async (id: string) => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction;
  return {
    ...{ authority, psp, database, service, receiver, partner, api, settings, body, ask, transaction },
    cashIn: async (original, terms) => {
      const answer = await ask(original, terms);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      const { transaction: made, payment } = answer.body.data;
      return { id: made.id, txid: txidOf(made.id), qrCode: payment.qrCode };
    },
    reaches: (id, state) =>
      eventually(async () => {
        const found = await transaction(id);
        return found.state === state && found;
      }),
    notify: (...paid) =>
      psp.notify(
        service.url,
        paid.map(({ endToEndId }) => endToEndId),
      ),
    reset: () => {
      psp.forgetFaults();
      psp.books.refunds = 'DEVOLVIDO';
      psp.books.refusesRepetition = false;
      psp.books.mostOnAPage = 1_000;
      psp.beforeAnswer = undefined;
      psp.answersInstead();
    },
    stop: async () => {
      await assertLedgerSound(database);
      expect(psp.violations).toEqual([]);
      await service.stop();
      await Promise.all([receiver.stop(), database.drop(), psp.close()]);
    },
  };
}
