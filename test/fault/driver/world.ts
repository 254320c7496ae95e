import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorApi, PartnerApi, type TestPartner } from '../../support/api.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { Instance } from './instance.js';
import type { PostgresServer } from './postgres-server.js';
import { Receiver } from './receiver.js';

/** Addresses in the receiver that partners name. */
export const PATHS = ['/a', '/b', '/c'] as const;
const FUNDS = '20000.00';
/** Small enough that a burst fills it. */
export const QUEUE_SIZE = 64;
export const ALMOST_NO_QUEUE = { LEDGER_QUEUE_SIZE: String(QUEUE_SIZE) };

/** An account that acts: its key's token, and the accounts of its partner. */
export interface Actor {
  readonly partner: TestPartner;
  readonly account: string;
  readonly token: string;
}

/** A database, the processes over it, partners with money, and their receiver. */
export class World {
  private constructor(
    readonly postgres: PostgresServer,
    readonly database: TestDatabase,
    readonly instances: readonly Instance[],
    readonly receiver: Receiver,
    readonly actors: readonly Actor[],
    /** Settings of every process over this database, the CLI's too. */
    readonly env: Readonly<Record<string, string>>,
    private readonly folder: string,
  ) {}

  /** @param settings of the service, over the world's own */
  static async build(
    postgres: PostgresServer,
    processes: number,
    settings: Record<string, string> = {},
  ): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'payments-world-'));
    const database = await createDatabase({ server: postgres.url });
    const env = {
      DATA_DIR: folder,
      CHECKPOINT_DIR: join(folder, 'checkpoints'),
      CHECKPOINT_INTERVAL_SECONDS: '2',
      // A receiver that comes back is found again within seconds, and no delivery is ever given up.
      WEBHOOK_RETRY_SCHEDULE: ['0s', ...Array<string>(99).fill('1s')].join(','),
      ...settings,
    };
    // One after the other: the first makes the keys of development that all of them use.
    const instances: Instance[] = [];
    for (let i = 0; i < processes; i++) {
      const checkpoints = join(folder, `checkpoints-${i}`);
      instances.push(await Instance.start(database.url, { ...env, CHECKPOINT_DIR: checkpoints }));
    }
    const base = instances[0]!.url!;
    const operator = new OperatorApi(base);
    const partners = [await operator.partner([FUNDS, FUNDS, '0.00']), await operator.partner([FUNDS, '0.00'])];
    const actors: Actor[] = [];
    for (const partner of partners) {
      for (const account of partner.accounts.slice(0, 2)) {
        const credentials = await operator.post(`/accounts/${account}/access-keys`, {});
        const { token } = await PartnerApi.login(base, credentials);
        actors.push({ partner: { ...partner, credentials }, account, token });
      }
    }
    const secrets = partners.map(({ webhookSecret }) => webhookSecret);
    return new World(postgres, database, instances, await Receiver.start(secrets, PATHS), actors, env, folder);
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await Promise.all(this.instances.map((instance) => instance.stop()));
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
