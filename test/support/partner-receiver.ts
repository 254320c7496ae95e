import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually.js';

/** One delivery as it arrived. */
export interface Receipt {
  readonly path: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which of the receiver's secrets the signatures fit; -1 for none. */
  readonly verifiedBy: number;
  readonly at: number;
  /** How it was answered, as `behave` says it. */
  readonly behaviour: string;
}

/** A receiver in a process of its own, which verifies with the `standardwebhooks` package. */
export class PartnerReceiver {
  readonly receipts: Receipt[] = [];

  private constructor(
    readonly process: ChildProcess,
    readonly port: number,
  ) {
    process.on('message', (message: { receipts?: Receipt[] }) => this.receipts.push(...(message.receipts ?? [])));
  }

  /** @param port the same as before, for a receiver that comes back */
  static async start(secrets: readonly string[], port = 0): Promise<PartnerReceiver> {
    const child = fork(new URL('receiver-process.ts', import.meta.url), {
      // Before it listens: where it comes back, deliveries wait for it.
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        RECEIVER_PORT: String(port),
        RECEIVER_SECRETS: JSON.stringify(secrets),
      },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const [message] = (await once(child, 'message')) as [{ port: number }];
    return new PartnerReceiver(child, message.port);
  }

  trust(secrets: readonly string[]): void {
    this.process.send({ secrets });
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /**
   * From now on a path answers so: a status, `429 <seconds>`, `302 <to>`, `hang`, `drop`, `slow <ms>`, `huge`,
   * `endless-headers`. Of several, each is for one delivery, and the last one for all further ones.
   */
  behave(path: string, ...as: string[]): void {
    this.process.send({ behave: { path, as } });
  }

  at(path: string): Receipt[] {
    return this.receipts.filter((receipt) => receipt.path === path);
  }

  /** Waits for so many deliveries at a path. */
  arrived(path: string, count: number, within = 10_000): Promise<Receipt[]> {
    return eventually(() => (this.at(path).length >= count ? this.at(path) : undefined), { within });
  }

  /** Ends it at once for its callers, but with every receipt that it answered. */
  async end(): Promise<void> {
    if (!this.process.connected) return;
    const told = once(this.process, 'disconnect');
    this.process.send({ end: true });
    await told;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}
