import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  AwaitedCommands,
  Demand,
  EventLog,
  type HeldLease,
  partitionOf,
  SubjectVault,
  type WorkItem,
  type WorkResult,
} from '../event-store/index.js';
import { CancelPayoutFile } from './commands/cancel-payout-file/cancel-payout-file.command.js';
import { RecordLines } from './commands/record-lines/record-lines.command.js';
import { CHUNKS_AT_ONCE, CHUNKS_UNRECORDED, chunksOf, type PayoutFile } from './domain/payout-file.js';
import type { RanLines } from './domain/payout-file.decider.js';
import { PayoutFileAccepted } from './domain/payout-file.events.js';
import type { CheckedLine } from './reading/checked-lines.js';
import { type FileOwner, LineRequests } from './line-requests.js';
import { LoggedFiles } from './logged-files.js';
import { Overloaded } from '../platform/errors/index.js';
import { readDigests } from './storage/chunk-digests.js';
import { FileInputs, type InputOf, LinesWereChanged } from './storage/file-inputs.js';

/** How long a file runs before others have their turn. */
const TURN_MS = 1_000;
/** Until lines that others' left no room for are requested again. */
const OVERLOADED_RETRY_MS = 500;
/** Until an operator has looked at lines that were changed. */
const CHANGED_RETRY_MS = 60_000;
/** While single commands keep the process busy, one chunk is requested; then the file rests, for a turn at most. */
const REST_MS = 60;
/** Its payouts are sent beside them too, so that a file leaves more of the event loop than other work does. */
const BUSY_FROM = 0.5;

interface Lines {
  readonly owner: FileOwner;
  readonly input: InputOf;
  readonly digests: readonly Buffer[];
  readonly lease: HeldLease;
  /** What is under way for the step after this one: chunks wait for the lane while those before them are written. */
  ahead?: Requested;
  /** Of a cancelled file: no chunk from here on may have lines that were registered. */
  until?: number;
}

/** Chunks that follow each other, and the outcomes of their lines. */
interface Requested {
  readonly first: number;
  readonly read: Promise<readonly unknown[]>;
  readonly outcomes: Promise<RanLines[]>;
}

/**
 * Runs accepted files, some chunks of lines at a time, under a lease. A process that dies leaves chunks of which some
 * lines were registered: the next one does them again, and each line gives its first outcome.
 */
@Injectable()
export class FileRunner {
  readonly #logger = new Logger(FileRunner.name);
  readonly #demand: Demand;

  constructor(
    private readonly commands: CommandBus,
    private readonly log: EventLog,
    private readonly vault: SubjectVault,
    private readonly files: LoggedFiles,
    private readonly inputs: FileInputs,
    private readonly requests: LineRequests,
    awaited: AwaitedCommands,
  ) {
    this.#demand = new Demand(awaited, BUSY_FROM);
  }

  async run(item: WorkItem): Promise<WorkResult> {
    const { partition, id } = item;
    const until = performance.now() + TURN_MS;
    let file = await this.files.find(id);
    const lines = file.endedAt ? undefined : await this.#lines(file, item.lease);
    while (!file.endedAt) {
      const isOver = performance.now() >= until;
      if (isOver && !lines?.ahead) return again(item, file, 0);
      try {
        await this.#step(file, lines, isOver);
      } catch (error) {
        if (error instanceof Overloaded) return again(item, file, OVERLOADED_RETRY_MS);
        if (!(error instanceof LinesWereChanged)) throw error;
        this.#logger.error({ err: error, file: id }, 'THE LINES OF A PAYOUT FILE WERE CHANGED: nothing of it is paid');
        return again(item, file, CHANGED_RETRY_MS);
      }
      file = await this.#changed(file);
      await this.inputs.remove(partition, id, file.run);
      if (file.state === 'Running') await this.#rest();
    }
    await this.inputs.remove(partition, id);
    return 'done';
  }

  /**
   * Also of a cancelled file, as far as lines may be registered that were not recorded: those give their first outcome,
   * the others none. However busy the process is: payouts that are made must be among the results.
   * @param isLast nothing is begun for the step after this one
   */
  async #step(file: PayoutFile, lines: Lines | undefined, isLast: boolean): Promise<void> {
    const { id, run } = file;
    if (!lines) {
      // Its account holder was forgotten: nobody can read the lines that wait.
      if (file.state === 'Running') await this.commands.execute(new CancelPayoutFile(id, undefined, 'payout-files'));
      await this.commands.execute(new RecordLines(file, undefined));
      return;
    }
    const isCancelled = file.state === 'Cancelled';
    // Counted from where the file stood when it was found cancelled: nothing more is registered since.
    if (isCancelled) lines.until ??= Math.min(run + CHUNKS_UNRECORDED, chunksOf(file));
    const until = lines.until ?? chunksOf(file);
    const isBusy = !isCancelled && this.#demand.look().single === 'busy';
    const atOnce = isBusy ? 1 : CHUNKS_AT_ONCE;
    const { ahead } = lines;
    delete lines.ahead;
    const requested = ahead?.first === run ? ahead : this.#request(lines, file, run, atOnce);
    const next = run + (await requested.read).length;
    if (next < until && !isBusy && !isLast) lines.ahead = this.#request(lines, file, next, atOnce);
    const ran = await requested.outcomes;
    // Of a file that is cancelled from here on, the next step looks at what may be registered.
    await this.commands.execute(new RecordLines(file, ran, isCancelled && next >= until, lines.lease));
  }

  #request(lines: Lines, { state }: PayoutFile, first: number, count: number): Requested {
    const read = this.#read(lines, first, count);
    const outcomes = read.then((chunks) => this.requests.run({ ...lines.owner, state }, first, chunks));
    // Told to the step that uses them.
    outcomes.catch(() => undefined);
    return { first, read, outcomes };
  }

  async #rest(): Promise<void> {
    const until = performance.now() + TURN_MS;
    while (this.#demand.look().single === 'busy' && performance.now() < until) await sleep(REST_MS);
  }

  #read({ input, digests }: Lines, first: number, count: number): Promise<CheckedLine[][]> {
    return this.inputs.readAll(input, first, digests.slice(first, first + count));
  }

  /** Each step records something, or finds that others did. */
  async #changed({ id, version }: PayoutFile): Promise<PayoutFile> {
    const file = await this.files.find(id);
    if (file.version === version) throw new Error(`payout file ${id}: what became of its lines was not recorded`);
    return file;
  }

  async #lines(file: PayoutFile, lease: HeldLease): Promise<Lines | undefined> {
    const partition = partitionOf(file.id)!;
    const [event] = await this.log.readFrom(partition, file.position, 1);
    if (!event || !PayoutFileAccepted.is(event) || event.data.id !== file.id) {
      throw new LinesWereChanged(`the log does not have the acceptance of payout file ${file.id}`);
    }
    const digests = readDigests(event.data.chunkDigests);
    if (digests.length !== chunksOf(file)) throw new LinesWereChanged('its digests are incomplete');
    const key = await this.vault.open(partition, event.data.key);
    if (key === null) return undefined;
    return { owner: event.data, input: { partition, file: file.id, key: Buffer.from(key, 'base64') }, digests, lease };
  }
}

/** An item of an earlier version names no partner: such are looked for now and then only, so it gets the name. */
function again({ payload }: WorkItem, { partnerUid }: PayoutFile, ms: number): WorkResult {
  const retryAt = new Date(Date.now() + ms);
  return payload ? { retryAt } : { retryAt, payload: { partnerUid } };
}
