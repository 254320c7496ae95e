import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { assertLedgerSound } from './audit.js';
import { createDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { MovingClock } from './moving-clock.js';
import { PartnerReceiver } from './partner-receiver.js';
import { type Service, SETTINGS, startService } from './service.js';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** A service whose clock is moved for days, and a receiver of webhooks. */
export class LaterWorld {
  private constructor(
    readonly clock: MovingClock,
    readonly database: TestDatabase,
    /** The key that signs checkpoints is in it. */
    private readonly dataDir: string,
    readonly service: Service,
    readonly operator: OperatorApi,
    readonly receiver: PartnerReceiver,
  ) {}

  static async start(): Promise<LaterWorld> {
    const [clock, database] = [await MovingClock.make(), await createDatabase()];
    const dataDir = await mkdtemp(join(tmpdir(), 'payments-later-'));
    const service = await startService(database.url, { ...clock.settings, DATA_DIR: dataDir });
    // Signatures are another test's: their time is that of the moving clock, for which the receiver would refuse them.
    const receiver = await PartnerReceiver.start([]);
    return new LaterWorld(clock, database, dataDir, service, new OperatorApi(service.url), receiver);
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await this.service.stop();
    await this.database.drop();
    await this.clock.remove();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Tokens live for an hour: whoever has waited for days logs in again, once the service goes by the new time. */
  login({ credentials: body }: Pick<TestPartner, 'credentials'>): Promise<PartnerApi> {
    return eventually(async () => {
      const { token, expiresAt } = (await call(this.service.url, 'POST', '/partners-int/login', { body })).body.data;
      return new Date(expiresAt) > this.clock.now() && PartnerApi.withToken(this.service.url, token);
    });
  }

  inMs(milliseconds: number): string {
    return new Date(this.clock.now().getTime() + milliseconds).toISOString();
  }

  /** A payout of 7.00 in a day, unless `order` or `changes` say otherwise. */
  payout(api: PartnerApi, order: object = {}, changes: object = {}) {
    return api.post('/accounts/pix/cashout', {
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'later', scheduledFor: this.inMs(DAY), ...order },
      webhook: { url: 'https://partner.example/hook' },
      ...changes,
    });
  }

  async assertSound(): Promise<void> {
    await assertLedgerSound(this.database);
    const { status, stdout } = spawnSync(process.execPath, ['dist/cli.js', 'verify'], {
      env: { ...process.env, ...SETTINGS, DATABASE_URL: this.database.url, DATA_DIR: this.dataDir, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('OK: nothing diverges')]);
  }
}

export async function available(api: PartnerApi, uid: string): Promise<string> {
  return (await api.balance(uid)).available;
}

/** Identifiers of what waits for its time. */
export async function waiting(api: PartnerApi): Promise<string[]> {
  const { body } = await api.get('/accounts/transactions?state=Scheduled');
  return body.data.items.map((one: any) => one.transaction.id);
}

export async function read(api: PartnerApi, id: string): Promise<any> {
  return (await api.get(`/accounts/transactions/${id}`)).body.data;
}

/** @returns the transaction, once it is in that state */
export function inState(api: PartnerApi, id: string, state: string): Promise<any> {
  return eventually(async () => {
    const { transaction } = await read(api, id);
    return transaction.state === state && transaction;
  });
}
