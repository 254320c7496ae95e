import { DatabaseProxy } from '../../support/database-proxy.js';
import { type Service, ServiceEnded, startService } from '../../support/service.js';

const PAUSE_MS = 200;

/** A service process behind a proxy of its own, started again by whoever keeps it, as a supervisor would. */
export class Instance {
  #service: Service | undefined;
  #starting: Promise<void> | undefined;
  #stopped = false;
  /** What processes that ended by themselves wrote last: none may. */
  readonly crashes: string[] = [];

  private constructor(
    readonly proxy: DatabaseProxy,
    private readonly env: Record<string, string>,
  ) {}

  static async start(databaseUrl: string, env: Record<string, string>): Promise<Instance> {
    const instance = new Instance(await DatabaseProxy.start(databaseUrl), env);
    await instance.up();
    return instance;
  }

  /** Its address while it serves. */
  get url(): string | undefined {
    return this.#service?.url;
  }

  get process() {
    return this.#service?.process;
  }

  /** Resolves when it serves. With its database away the process ends at its start, and is started again. */
  up(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** SIGKILL, and a new process after a while. @returns whether there was one to kill */
  async kill(downMs: number): Promise<boolean> {
    const service = this.#service;
    if (!service) return false;
    this.#service = undefined;
    await service.kill('SIGKILL');
    await service.stop();
    await new Promise((resume) => setTimeout(resume, downMs));
    void this.up();
    return true;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#starting;
    const service = this.#service;
    this.#service = undefined;
    await service?.stop();
    await this.proxy.stop();
  }

  async #start(): Promise<void> {
    while (!this.#service && !this.#stopped) {
      try {
        const service = await startService(this.proxy.url, this.env);
        this.#service = service;
        service.process.once('exit', () => {
          if (this.#service !== service) return;
          this.crashes.push(service.output().slice(-2000));
          this.#service = undefined;
          void this.up();
        });
      } catch (error) {
        if (!(error instanceof ServiceEnded)) throw error;
        await new Promise((resume) => setTimeout(resume, PAUSE_MS));
      }
    }
  }
}
