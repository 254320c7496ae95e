import { type RecordedEvent, toRecorded } from '../../event-store/index.js';
import type { Database } from '../../platform/database/index.js';
import type { LogReader, ScannedEvent } from '../log/log-reader.js';
import { readHeads } from './log/log-state.js';
import { type Findings, show } from './report.js';

/** The events of a replay, and where its faults are reported. */
export interface ReplayedLog {
  readonly database: Database;
  readonly reader: LogReader;
  readonly findings: Findings;
  readonly partition: number;
  /** How many events are replayed. */
  readonly size: bigint;
  /** Called for what cannot be replayed; it may throw. */
  onFault?(error: unknown): void;
}

interface Page {
  readonly events: readonly RecordedEvent[];
  /** Of its last event, whether that can be replayed or not. */
  readonly position: bigint;
}

/** The events of one partition, as they are replayed. */
export class ReplayedEvents {
  constructor(private readonly log: ReplayedLog) {}

  /** All of the replay, the first time: those that cannot be replayed are reported, and left out. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { reader, partition, size } = this.log;
    for await (const scanned of reader.pages(partition, 0n, size)) {
      const events = scanned.flatMap((event) => this.#read(event) ?? []);
      yield { events, position: scanned.at(-1)!.position };
    }
  }

  /** Reads the events up to a position again, without those that cannot be replayed: these are reported already. */
  async *again(to: bigint): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    for await (const page of this.log.reader.pages(this.log.partition, 0n, to)) {
      yield page.flatMap((event) => {
        try {
          return toRecorded(event);
        } catch {
          return [];
        }
      });
    }
  }

  /** Events appended after those of the replay. */
  async *since(): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    const { reader, partition, size } = this.log;
    for await (const page of reader.pages(partition, size, await this.headNow())) yield page.map(toRecorded);
  }

  /** The size of the log by now. */
  async headNow(): Promise<bigint> {
    const [head] = await readHeads(this.log.database, this.log.partition);
    return head!.size;
  }

  /** @param subject what could not be replayed; `null`: the event itself */
  reportFault(
    { partition, position }: Pick<RecordedEvent, 'partition' | 'position'>,
    subject: string | null,
    error: unknown,
  ) {
    this.log.onFault?.(error);
    this.log.findings.report({
      check: 'replay',
      partition,
      position,
      subject,
      field: 'data',
      expected: 'an event that can be replayed',
      found: show((error as Error).message),
    });
  }

  #read(event: ScannedEvent): RecordedEvent | undefined {
    try {
      return toRecorded(event);
    } catch (error) {
      this.reportFault(event, null, error);
      return undefined;
    }
  }
}
