import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Answer, OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { assertLedgerSound } from './audit.js';
import { createDatabase, type TestDatabase } from './database.js';
import { type Service, startService } from './service.js';

export const BATCH = '/accounts/transfers/batch';

export interface TransferBatches {
  readonly database: TestDatabase;
  /** Another instance than that of `api`. */
  readonly other: Service;
  readonly operator: OperatorApi;
  readonly partner: TestPartner;
  readonly api: PartnerApi;
  /** The account that the items pay. */
  readonly to: string;
  readonly item: (idempotencyKey: string, transferAmount?: unknown, more?: object) => object;
  /** @param more members of the body beside its items */
  readonly send: (
    items: readonly unknown[],
    more?: object,
    headers?: Record<string, string>,
    by?: PartnerApi,
  ) => Promise<Answer>;
  readonly available: (uid: string) => Promise<string>;
  /** Transfers in the log. */
  readonly events: () => Promise<number>;
}

/** Two instances, and for each test a partner with 100.00 and no least transfer, who sends batches. */
export function batchesForEach(take: (given: TransferBatches) => void): void {
  let database: TestDatabase;
  let services: [Service, Service];
  beforeAll(async () => {
    database = await createDatabase();
    services = [await startService(database.url), await startService(database.url)];
  }, 60_000);
  afterAll(async () => {
    await assertLedgerSound(database);
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  });

  beforeEach(async () => {
    const [service, other] = services;
    const operator = new OperatorApi(service.url);
    const partner = await operator.partner(['100.00', '0.00', '0.00']);
    await operator.patch(`/partners/${partner.uid}/settings`, { transferMinimum: '0.01' });
    const api = await PartnerApi.login(service.url, partner.credentials);
    const to = partner.accounts[1]!;
    const counted = `select count(*)::int as n from event where type = 'TransferSettled'`;
    take({
      ...{ database, other, operator, partner, api, to },
      item: (idempotencyKey, transferAmount = '1.00', more = {}) => ({
        ...{ idempotencyKey, refAccountCredit: to, transferAmount },
        ...more,
      }),
      send: (items, more = {}, headers, by = api) => by.post(BATCH, { items, ...more }, headers),
      available: async (uid) => (await api.balance(uid)).available,
      events: async () => (await database.query<{ n: number }>(counted))[0]!.n,
    });
  });
}

/** Of each result: its status, and whether it was done before, or why it was refused. */
export const shape = (items: any[]) =>
  items.map(({ status, replayed, error }) => [status, replayed ?? error.details.reason]);

export const keyed = (key: string) => ({ 'idempotency-key': key });
