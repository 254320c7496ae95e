import { type Answer, OperatorApi, PartnerApi, patiently, type TestPartner } from './api.js';
import { createDatabase, type TestDatabase } from './database.js';
import { MovingClock } from './moving-clock.js';
import { type Service, startService } from './service.js';

const HOUR_MS = 3_600_000;
/** Before a raised limit holds: longer than a test takes, which goes over it by the clock. */
export const RAISE_DELAY_MS = 60_000;
/** Longer than a file of tests takes, the delays that it goes over included. */
const CLEAR_MS = 600_000;

/** Every period ends with an hour: none may end between two payouts of a test. */
async function clockClearOfHours(): Promise<MovingClock> {
  const clock = await MovingClock.make();
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < CLEAR_MS) await clock.advance(left + 100);
  return clock;
}

/** A partner with an account that has money, and another account. */
export interface LimitedPartner {
  readonly partner: TestPartner;
  readonly account: string;
  readonly api: PartnerApi;
}

/** Two processes on one database, and its operator. */
export class LimitsWorld {
  private constructor(
    readonly database: TestDatabase,
    readonly services: readonly Service[],
    readonly operator: OperatorApi,
    readonly clock: MovingClock,
  ) {}

  static async start(): Promise<LimitsWorld> {
    const clock = await clockClearOfHours();
    const database = await createDatabase();
    const settings = { ...clock.settings, LIMIT_RAISE_DELAY_SECONDS: String(RAISE_DELAY_MS / 1000) };
    const services = await Promise.all([1, 2].map(() => startService(database.url, settings)));
    return new LimitsWorld(database, services, new OperatorApi(services[0]!.url), clock);
  }

  now(): Date {
    return this.clock.now();
  }

  /** What was raised holds from now on. */
  delayPasses(): Promise<void> {
    return this.clock.advance(RAISE_DELAY_MS);
  }

  /** Of day and night the one that is now. */
  present<T extends { from: string }>({ day, night }: { day: T; night: T }): T {
    return Date.parse(day.from) <= this.now().getTime() ? day : night;
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await this.database.drop();
    await this.clock.remove();
  }

  async partner(): Promise<LimitedPartner> {
    const partner = await this.operator.partner(['1000.00', '0.00']);
    const api = await PartnerApi.login(this.services[0]!.url, partner.credentials);
    return { partner, account: partner.accounts[0]!, api };
  }

  set(account: string, limits: object) {
    return this.operator.patch(`/accounts/${account}/limits`, limits);
  }
}

let orders = 0;

/** It is asked for again while the lane has too much to do: many are asked for at once. */
const MARIA = '11144477735';

function payoutBody(value: string, cpf: string) {
  return {
    payment: {
      value,
      recipient: {
        name: 'Maria Silva',
        cpf,
        account: { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' },
      },
    },
    transaction: { orderId: `order-${(orders += 1)}` },
    webhook: { url: 'http://127.0.0.1:65535/hook' },
  };
}

export function payout(api: PartnerApi, value: string, cpf = MARIA): Promise<Answer> {
  return api.post('/accounts/pix/cashout', payoutBody(value, cpf));
}

/** One of very many at once: with an Idempotency-Key, repeated while the service is overloaded. */
export function payoutOfMany(api: PartnerApi, value: string, cpf = MARIA): Promise<Answer> {
  const body = payoutBody(value, cpf);
  const headers = { 'idempotency-key': body.transaction.orderId };
  return patiently(() => api.post('/accounts/pix/cashout', body, headers));
}

export const readLimits = async ({ api, account }: LimitedPartner) =>
  (await api.get(`/accounts/${account}/limits`)).body.data;

export const reasonsOf = (answers: readonly Answer[]) =>
  new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.error.details.reason));

/** By day or by night, whenever the test runs. */
export const alike = (limit: string) => ({ day: limit, night: limit });
