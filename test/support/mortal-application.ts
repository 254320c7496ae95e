import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createDatabase, type TestDatabase } from './database.js';
import { DatabaseProxy } from './database-proxy.js';
import { type InProcess, startInProcess, startWithDatabase } from './in-process.js';

/**
 * When a process dies: its commit never left it, its commit's answer never came, or some milliseconds after the start.
 */
export type Death = 'before commit' | 'after commit' | number;

/** The application in this process, with a database of its own. */
export interface PlayedApplication {
  readonly owner: TestDatabase;
  readonly app: NestFastifyApplication;
  readonly running: InProcess;
  /** Does a piece of work; where the process dies meanwhile, the next one does it again. Nothing more is told of it. */
  survive<T>(work: () => Promise<T>, death: Death | undefined): Promise<T>;
  close(): Promise<void>;
}

/** One that does not die: nothing stands before its database, so each message goes through this process once. */
export async function startImmortal(env: Record<string, string>): Promise<PlayedApplication> {
  const running = await startWithDatabase(env);
  const { owner, app } = running;
  return {
    ...{ owner, app, running },
    survive: (work, death) => {
      if (death !== undefined) throw new Error('This application does not die.');
      return work();
    },
    close: () => running.close(),
  };
}

/**
 * The application in this process, which can die as a killed process does: from one moment on nothing of it reaches the
 * database, and the next one begins with what is there. What it had in memory is lost.
 */
export class MortalApplication implements PlayedApplication {
  /** The ends of those that died: what they still try, nobody waits for. */
  readonly #dead: Promise<unknown>[] = [];

  private constructor(
    readonly owner: TestDatabase,
    private readonly env: Record<string, string>,
    private proxy: DatabaseProxy,
    public running: InProcess,
  ) {}

  static async start(env: Record<string, string>): Promise<MortalApplication> {
    const owner = await createDatabase();
    return new MortalApplication(owner, env, ...(await open(owner, env)));
  }

  get app(): NestFastifyApplication {
    return this.running.app;
  }

  /** How often it died. */
  get deaths(): number {
    return this.#dead.length;
  }

  async die(): Promise<void> {
    const { proxy, running } = this;
    proxy.refuse(true);
    this.#dead.push(Promise.allSettled([running.app.close(), running.database.close()]).then(() => proxy.stop()));
    [this.proxy, this.running] = await open(this.owner, this.env);
  }

  async survive<T>(work: () => Promise<T>, death: Death | undefined): Promise<T> {
    if (death === undefined) return work();
    const died = this.#deathAt(death);
    const first = work().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const ended = await Promise.race([first, died.happened]);
    died.cancel();
    if (ended === undefined) {
      await this.die();
      return work();
    }
    if ('error' in ended) throw ended.error;
    return ended.answer;
  }

  #deathAt(death: Death): { readonly happened: Promise<void>; cancel(): void } {
    const { proxy } = this;
    if (typeof death !== 'number')
      proxy.cutNextCommit(death === 'before commit' ? 'before' : 'after', { thenRefuse: true });
    let timer: NodeJS.Timeout | undefined;
    const happened =
      typeof death === 'number'
        ? new Promise<void>((resolve) => (timer = setTimeout(resolve, death)))
        : proxy.nextCut();
    const cancel = () => {
      clearTimeout(timer);
      proxy.calm();
    };
    return { happened, cancel };
  }

  async close(): Promise<void> {
    await this.running.close();
    await Promise.all([...this.#dead, this.proxy.stop()]);
    await this.owner.drop();
  }
}

async function open(owner: TestDatabase, env: Record<string, string>): Promise<[DatabaseProxy, InProcess]> {
  const proxy = await DatabaseProxy.start(owner.url);
  return [proxy, await startInProcess({ url: proxy.url }, env)];
}
