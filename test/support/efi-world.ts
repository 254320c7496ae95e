import { OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { assertLedgerSound } from './audit.js';
import { testAuthority } from './certificates.js';
import { createDatabase, type TestDatabase } from './database.js';
import { EfiPsp, efiSettings } from './efi-psp.js';
import { eventually } from './eventually.js';
import { PSP_KEY } from './model-psp-books.js';
import { WEBHOOK } from './pix-bodies.js';
import { type Service, startService } from './service.js';
import { sweepAt } from './sweep.js';

/** A service over Efí's API, whose callbacks reach it, and a partner in it. */
export interface EfiWorld {
  readonly psp: EfiPsp;
  readonly database: TestDatabase;
  readonly service: Service;
  readonly partner: TestPartner;
  readonly api: PartnerApi;
  /** Of the service. */
  readonly settings: Record<string, string>;
  /** A payout to a key. @returns its id */
  payOut(value: string): Promise<string>;
  completed(id: string, within?: number): Promise<unknown>;
  transaction(id: string): Promise<any>;
  /** @returns the transaction, once it is in that state */
  reaches(id: string, state: string): Promise<any>;
  /** Of the partner's account. */
  balance(): Promise<Awaited<ReturnType<PartnerApi['balance']>>>;
  /** Has the rail's lists read now. */
  sweep(): Promise<unknown>;
  /** The PSP does again what it did at first. */
  calm(): Promise<void>;
  /** Looks first whether the ledger is sound. */
  stop(): Promise<void>;
}

export async function efiWorld(balance: string, env: Record<string, string> = {}): Promise<EfiWorld> {
  const authority = testAuthority('Efí authority');
  const [psp, database] = await Promise.all([EfiPsp.start(authority), createDatabase()]);
  const efi = efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-webhook-address-0123456789');
  const settings = { ...efi, ...env };
  const service = await startService(database.url, settings);
  const partner = await new OperatorApi(service.url).partner([balance]);
  const api = await PartnerApi.login(service.url, partner.credentials);
  await eventually(() => psp.webhookUrl());
  await psp.callbacks({ to: service.url });
  const transaction = async (id: string) => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction;
  const reaches = (id: string, state: string, within = 20_000) =>
    eventually(
      async () => {
        const found = await transaction(id);
        return found.state === state && found;
      },
      { within },
    );
  return {
    ...{ psp, database, service, partner, api, settings },
    payOut: async (value) => {
      const answer = await api.post('/accounts/pix/cashout', {
        payment: { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
        transaction: { orderId: 'pedido-1' },
        webhook: WEBHOOK,
      });
      return answer.body.data.transaction.id;
    },
    completed: (id, within) => reaches(id, 'Completed', within),
    transaction,
    reaches,
    balance: () => api.balance(partner.accounts[0]!),
    sweep: () => sweepAt(database),
    calm: async () => {
      await psp.forgetFaults();
      await psp.behave({ ends: 'REALIZADO', endsAfterMs: 0, lag: 0 });
      await psp.callbacks({ on: true, twice: false });
    },
    stop: async () => {
      await assertLedgerSound(database);
      await service.stop();
      await Promise.all([psp.close(), database.drop()]);
    },
  };
}
