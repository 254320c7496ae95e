import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { createDatabase, type TestDatabase } from './database.js';
import { runLedger } from './ledger-fixture.js';
import { type Service, startService } from './service.js';

/** The tax number of the person whose account it is. */
export const PERSON = '52998224725';

/**
 * A service with a partner one of whose accounts belongs to a person, with 40.00 in it and two lines in its statement.
 */
export class PersonWorld {
  service!: Service;
  operator!: OperatorApi;
  partner!: TestPartner;
  /** The person's. */
  account!: string;
  api!: PartnerApi;

  private constructor(
    readonly database: TestDatabase,
    readonly dataDir: string,
  ) {}

  static async start(): Promise<PersonWorld> {
    const world = new PersonWorld(await createDatabase(), await mkdtemp(join(tmpdir(), 'ledger-person-')));
    try {
      await world.start();
      await world.#fill();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  /** @param url the database's address, where it is not the direct one */
  async start(env: Record<string, string> = {}, url = this.database.url): Promise<void> {
    this.service = await startService(url, { DATA_DIR: this.dataDir, CHECKPOINT_INTERVAL_SECONDS: '1', ...env });
    this.operator = new OperatorApi(this.service.url);
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Runs a command of the ledger's tool; nothing has to be retained unless it says so. */
  ledger(args: string[], env: Record<string, string> = {}) {
    return runLedger(args, {
      DATABASE_URL: this.database.url,
      DATA_DIR: this.dataDir,
      RETENTION_YEARS: '0',
      ...env,
    });
  }

  async show() {
    return (await this.api.get(`/accounts/${this.account}`)).body.data;
  }

  async statement(): Promise<any[]> {
    return (await this.api.get(`/accounts/${this.account}/statement`)).body.data.items;
  }

  async #fill(): Promise<void> {
    this.partner = await this.operator.partner(['100.00']);
    const holder = { name: 'Maria da Silva', taxNumber: PERSON };
    this.account = (await this.operator.post(`/partners/${this.partner.uid}/accounts`, holder)).uid;
    await this.operator.post(`/accounts/${this.account}/credits`, { amount: '50.00', reason: 'Maria' });
    const credentials = await this.operator.post(`/accounts/${this.account}/access-keys`, {});
    this.api = await PartnerApi.login(this.service.url, credentials);
    const body = {
      refAccountCredit: this.partner.accounts[0],
      transferAmount: '10.00',
      transferDescription: 'From Maria',
    };
    const answer = await this.api.post('/accounts/transfer', body);
    if (answer.status !== 201) throw new Error(`the transfer was answered with ${answer.status}`);
  }
}

/** One for the tests of a `describe`, in their order. */
export function personForAll(give: (world: PersonWorld) => void): void {
  let world: PersonWorld | undefined;
  beforeAll(async () => {
    give((world = await PersonWorld.start()));
  }, 30_000);
  afterAll(() => world?.stop());
}
