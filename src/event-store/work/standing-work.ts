import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { REGISTRY_PARTITION } from '../log/identifiers.js';
import { addWork } from './work-table.js';

const MINUTE_MS = 60_000;

/** A timer: work that never ends. */
export interface StandingTimer {
  readonly kind: string;
  readonly id: string;
  /** When it is due where there was none. Absent: at once. */
  readonly firstDue?: (now: Date) => Date;
  /**
   * The ledgers in which `verify` misses it, whatever rail its own settings name: all, those with rows of an inline
   * projection, or none.
   */
  readonly missedIn: 'All' | 'None' | { readonly rowsOf: string };
}

/**
 * Work that no event begins, and that never ends: one row of each in the registry's partition, whatever the number of
 * processes. Who deletes a row stops nothing: it is made again within a minute.
 */
@Injectable()
export class StandingWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(StandingWork.name);
  readonly #timers: StandingTimer[] = [];
  #everyMinute: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: Pick<EventStoreOptions, 'runsBackground'>,
  ) {}

  register(timer: StandingTimer): void {
    this.#timers.push(timer);
  }

  /** Every timer of this process's settings, whether it works on them or not. */
  all(): readonly StandingTimer[] {
    return this.#timers;
  }

  /** The rows may exist already: the start does not wait for the registry's node while it is unreachable. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.options.runsBackground) return;
    this.#everyMinute = setInterval(() => void this.#add(), MINUTE_MS).unref();
    await this.#add();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.#everyMinute);
  }

  async #add(): Promise<void> {
    const now = new Date();
    const work = this.#timers.map(({ kind, id, firstDue }) => {
      return { id, kind, subject: id, payload: null, dueAt: firstDue?.(now) ?? now };
    });
    try {
      await this.database.transaction((client) => addWork(client, REGISTRY_PARTITION, work));
    } catch (error) {
      this.#logger.warn({ err: error }, 'timers could not be created; retried in a minute');
    }
  }
}
