import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { assertLedgerSound } from './audit.js';
import { createDatabase, type TestDatabase } from './database.js';
import { type Service, startService } from './service.js';

export const BATCH = '/accounts/transfers/batch';

/** What a test of batches has: others of them have had others. */
interface Given {
  readonly database: TestDatabase;
  /** Another instance than that of `api`. */
  readonly other: Service;
  readonly operator: OperatorApi;
  readonly partner: TestPartner;
  readonly api: PartnerApi;
  /** The account that the items pay. */
  readonly to: string;
}

/** Two instances, and for each test a partner with 100.00 and no least transfer, who sends batches. */
export function batchesForEach() {
  const given = {} as Given;
  let services: [Service, Service];
  beforeAll(async () => {
    const database = await createDatabase();
    services = [await startService(database.url), await startService(database.url)];
    Object.assign(given, { database, operator: new OperatorApi(services[0].url), other: services[1] });
  }, 60_000);
  beforeEach(async () => {
    const partner = await given.operator.partner(['100.00', '0.00', '0.00']);
    await given.operator.patch(`/partners/${partner.uid}/settings`, { transferMinimum: '0.01' });
    const api = await PartnerApi.login(services[0].url, partner.credentials);
    Object.assign(given, { partner, api, to: partner.accounts[1] });
  });
  afterAll(async () => {
    await assertLedgerSound(given.database);
    await Promise.all(services.map((service) => service.stop()));
    await given.database.drop();
  });

  return {
    given,
    item: (idempotencyKey: string, transferAmount: unknown = '1.00', more: object = {}) => ({
      ...{ idempotencyKey, refAccountCredit: given.to, transferAmount },
      ...more,
    }),
    /** @param more members of the body beside its items */
    send: (items: readonly unknown[], more: object = {}, headers?: Record<string, string>, by = given.api) =>
      by.post(BATCH, { items, ...more }, headers),
    available: async (uid: string) => (await given.api.balance(uid)).available,
    /** Transfers in the log. */
    events: async () => {
      const counted = `select count(*)::int as n from event where type = 'TransferSettled'`;
      return (await given.database.query<{ n: number }>(counted))[0]!.n;
    },
  };
}

/** Of each result: its status, and whether it was done before, or why it was refused. */
export const shape = (items: any[]) =>
  items.map(({ status, replayed, error }) => [status, replayed ?? error.details.reason]);

export const keyed = (key: string) => ({ 'idempotency-key': key });
