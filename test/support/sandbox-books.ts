import {
  AwaitedCommands,
  DEFAULT_LANE,
  LeasedWork,
  Partitions,
  PersonalDataCodec,
  WakeUp,
} from '../../src/event-store/index.js';
import { Database, migrate } from '../../src/platform/database/index.js';
import { openColdTables } from '../../src/platform/database/cold-tables.js';
import { Peers } from '../../src/platform/workers/index.js';
import { KeptBehaviour, SandboxBehaviour } from '../../src/pix/rails/sandbox/behaviour.js';
import type { RailNotifications } from '../../src/pix/rails/rail-notifications.js';
import { Charges } from '../../src/pix/rails/sandbox/charges.js';
import { History } from '../../src/pix/rails/sandbox/history.js';
import { PartyBox } from '../../src/pix/rails/sandbox/party-box.js';
import { PayerBank } from '../../src/pix/rails/sandbox/payer-bank.js';
import { PaymentsIn } from '../../src/pix/rails/sandbox/payments-in.js';
import { PaymentsOut } from '../../src/pix/rails/sandbox/payments-out.js';
import { Refunds } from '../../src/pix/rails/sandbox/refunds.js';
import { SandboxRail } from '../../src/pix/rails/sandbox/sandbox-rail.js';
import { TaskWorker } from '../../src/pix/rails/sandbox/task-worker.js';
import { SandboxNotifier } from '../../src/pix/rails/sandbox/notifier.js';
import { Tasks } from '../../src/pix/rails/sandbox/tasks.js';
import { createDatabase, type TestDatabase } from './database.js';

/** The sandbox over a real database, without the ledger: nobody listens, and no task is done by itself. */
export interface SandboxBooks {
  readonly owner: TestDatabase;
  readonly database: Database;
  readonly rail: SandboxRail;
  readonly paymentsIn: PaymentsIn;
  readonly paymentsOut: PaymentsOut;
  readonly refunds: Refunds;
  readonly box: PartyBox;
  /** A process of the service as far as the sandbox sees it: it notifies `inbox`, and does what is planned. */
  instance(inbox: RailNotifications): SandboxInstance;
  close(): Promise<void>;
}

export interface SandboxInstance {
  readonly bank: PayerBank;
  readonly behaviour: SandboxBehaviour;
  stop(): Promise<void>;
}

export async function openSandboxBooks(): Promise<SandboxBooks> {
  const owner = await createDatabase();
  await migrate({ url: owner.url, partitions: 1 });
  const database = new Database(owner.url, () => undefined);
  const box = new PartyBox(new PersonalDataCodec(Buffer.alloc(32, 2)));
  const options = { masterKey: Buffer.alloc(32, 2), lane: DEFAULT_LANE, partitions: 2, runsBackground: true };
  const leasedWork = (runsBackground: boolean) => {
    const wakeUp = new WakeUp();
    const partitions = new Partitions(database, wakeUp, new Peers(), options);
    return new LeasedWork(database, partitions, wakeUp, new Peers(), new AwaitedCommands(), {
      ...options,
      runsBackground,
    });
  };
  const tasks = new Tasks(database, leasedWork(false));
  const paymentsIn = new PaymentsIn(database, box);
  const paymentsOut = new PaymentsOut(database, box, tasks);
  const refunds = new Refunds(database, tasks);
  const charges = new Charges(database);
  const history = new History(database, paymentsIn);
  const behaviours = (await openColdTables(database, [KeptBehaviour])).getRepository(KeptBehaviour);
  const behaviour = new SandboxBehaviour(behaviours);
  const instance = (inbox: RailNotifications): SandboxInstance => {
    const work = leasedWork(true);
    const own = new Tasks(database, work);
    const ownBehaviour = new SandboxBehaviour(behaviours);
    const notifier = new SandboxNotifier(inbox, ownBehaviour, own);
    new TaskWorker(work, own, notifier, ownBehaviour, paymentsOut, paymentsIn, refunds, charges, box).onModuleInit();
    work.onApplicationBootstrap();
    return {
      bank: new PayerBank(paymentsIn, notifier, own, ownBehaviour),
      behaviour: ownBehaviour,
      stop: () => work.onApplicationShutdown(),
    };
  };
  return {
    instance,
    owner,
    database,
    rail: new SandboxRail(charges, paymentsIn, paymentsOut, refunds, history, behaviour),
    paymentsIn,
    paymentsOut,
    refunds,
    box,
    close: async () => {
      await database.close();
      await owner.drop();
    },
  };
}
