import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOADER = new URL('clock-offset.mjs', import.meta.url).href;

/** A wall clock that the services under test share, and that a test sets ahead or back. */
export class MovingClock {
  #offset = 0;

  private constructor(private readonly folder: string) {}

  static async make(): Promise<MovingClock> {
    const clock = new MovingClock(await mkdtemp(join(tmpdir(), 'payments-clock-')));
    await clock.jumpTo(0);
    return clock;
  }

  /** Settings of a service that goes by it. */
  get settings(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${LOADER}`, CLOCK_OFFSET_FILE: join(this.folder, 'offset') };
  }

  now(): Date {
    return new Date(Date.now() + this.#offset);
  }

  async setTo(moment: Date): Promise<void> {
    await this.jumpTo(moment.getTime() - Date.now());
  }

  /** @param offset milliseconds that it is ahead of the machine's from now on; behind it, where negative */
  async jumpTo(offset: number): Promise<void> {
    this.#offset = offset;
    // At once: a process that looks while it is written would go by its own clock.
    const file = join(this.folder, 'offset');
    await writeFile(`${file}.new`, String(this.#offset));
    await rename(`${file}.new`, file);
  }

  /** To some milliseconds from its present time. */
  async advance(milliseconds: number): Promise<void> {
    await this.setTo(new Date(this.now().getTime() + milliseconds));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
