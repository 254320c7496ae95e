import { PartnerReceiver, type Receipt } from '../../support/partner-receiver.js';

/** How a receiver is broken; `gone` is a process that was killed. */
export const BREAKAGES = ['500', 'drop', 'hang', 'slow 400', '429 1', 'gone'] as const;
export type Breakage = (typeof BREAKAGES)[number];

/** The partners' receiver, at one port whatever happens to its process; keeps every receipt. */
export class Receiver {
  readonly #earlier: Receipt[] = [];

  private constructor(
    private running: PartnerReceiver,
    private readonly secrets: readonly string[],
    private readonly paths: readonly string[],
  ) {}

  static async start(secrets: readonly string[], paths: readonly string[]): Promise<Receiver> {
    return new Receiver(await PartnerReceiver.start(secrets), secrets, paths);
  }

  url(path: string): string {
    return this.running.url(path);
  }

  get receipts(): readonly Receipt[] {
    return [...this.#earlier, ...this.running.receipts];
  }

  async break(how: Breakage, path: string): Promise<void> {
    if (how === 'gone') await this.running.end();
    else if (this.running.process.connected) this.running.behave(path, how);
  }

  /** A new process at the same port, which takes everything; what hangs in the old one is cut. */
  async heal(): Promise<void> {
    await this.running.end();
    this.#earlier.push(...this.running.receipts);
    this.running = await PartnerReceiver.start(this.secrets, this.running.port);
    for (const path of this.paths) this.running.behave(path, '200');
  }

  stop(): Promise<void> {
    return this.running.stop();
  }
}
