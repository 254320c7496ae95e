import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { Account } from '../accounts/index.js';
import {
  AwaitedCommands,
  type EventLog,
  type NewEvent,
  newId,
  type RecordedEvent,
  type SubjectVault,
  type WorkItem,
} from '../event-store/index.js';
import { Overloaded } from '../platform/errors/index.js';
import type { RecordLines } from './commands/record-lines/record-lines.command.js';
import { acceptFile, cancelFile, type RanLines, recordLines } from './domain/payout-file.decider.js';
import { CHUNK_LINES, evolveFile, type PayoutFile } from './domain/payout-file.js';
import { FileRunner } from './file-runner.js';
import type { LineRequests } from './line-requests.js';
import type { LoggedFiles } from './logged-files.js';
import { type FileInputs, LinesWereChanged } from './storage/file-inputs.js';

const PARTITION = 1;
const CHUNKS = 20;
const account = { uid: 'a', partnerUid: 'p', status: 'Active' } as Account;

/** Keeps the event loop in use: a turn has few steps then. */
function spin(): void {
  const until = performance.now() + 250;
  while (performance.now() < until);
}

/** A file of twenty chunks, and a runner of it. A chunk is registered when it is requested while the file runs. */
class World {
  readonly awaited = new AwaitedCommands();
  readonly registered = new Set<number>();
  readonly looked = new Set<number>();
  isBusy = false;
  file: PayoutFile;
  /** Before lines are recorded. */
  onRecord: () => void = () => undefined;
  /** When the payouts of chunks are written. @param first of these chunks */
  written: (first: number) => Promise<void> = () => Promise.resolve();
  /** A chunk that is not as it was accepted. */
  changed = Infinity;
  readonly runner: FileRunner;
  readonly #id = newId(PARTITION);
  readonly #accepted: RecordedEvent;

  constructor() {
    const [accepted] = acceptFile(account, {
      ...{ id: this.#id, accessKey: 'k', format: 'csv', digest: 'd', lines: CHUNKS * CHUNK_LINES, amount: '1' },
      chunkDigests: randomBytes(CHUNKS * 32).toString('base64'),
      key: 'sealed' as never,
    });
    this.#accepted = recorded(accepted!);
    this.file = evolveFile(undefined, this.#accepted);
    this.runner = new FileRunner(
      { execute: (command: RecordLines) => this.#record(command) } as unknown as CommandBus,
      { readFrom: () => Promise.resolve([this.#accepted]) } as unknown as EventLog,
      { open: () => Promise.resolve('') } as unknown as SubjectVault,
      { find: () => this.#find() } as unknown as LoggedFiles,
      {
        readAll: async (_input: unknown, first: number, digests: readonly Buffer[]) => {
          if (first === this.changed) throw new LinesWereChanged('');
          return digests.slice(0, this.changed - first).map(() => []);
        },
        remove: () => Promise.resolve(),
      } as unknown as FileInputs,
      {
        run: async (_file: unknown, first: number, chunks: readonly unknown[]) => {
          const ran = chunks.map((_, i) => this.#request(first + i));
          await this.written(first);
          return ran;
        },
      } as unknown as LineRequests,
      this.awaited,
    );
  }

  run(payload: unknown = { partnerUid: 'p' }) {
    return this.runner.run({ partition: PARTITION, id: this.#id, payload } as WorkItem);
  }

  cancel(): void {
    this.#apply(cancelFile(this.file));
  }

  #apply(events: readonly NewEvent[]): void {
    this.file = events.map(recorded).reduce(evolveFile, this.file);
  }

  #find(): Promise<PayoutFile> {
    if (this.isBusy) {
      this.awaited.single += 1_000;
      spin();
    }
    return Promise.resolve(this.file);
  }

  #request(chunk: number): RanLines {
    if (this.file.state === 'Running') this.registered.add(chunk);
    else this.looked.add(chunk);
    const lines = Array.from(
      { length: this.registered.has(chunk) ? CHUNK_LINES : 0 },
      (_, i) => chunk * CHUNK_LINES + i,
    );
    const registered = lines.map((line) => ({ line, transaction: `t${line}`, amount: 1n }));
    return { chunk, registered, refused: [] };
  }

  async #record({ file, ran, endsCancelled }: RecordLines): Promise<void> {
    // What was requested ahead is registered meanwhile.
    await new Promise((resume) => setImmediate(resume));
    this.onRecord();
    if (file.version === this.file.version) this.#apply(recordLines(file, ran!, endsCancelled));
  }
}

function recorded(event: NewEvent): RecordedEvent {
  return { ...event, time: new Date(0), position: 1n } as unknown as RecordedEvent;
}

const chunks = (first: number, until: number) => Array.from({ length: until - first }, (_, i) => first + i);

/** A file of which six chunks are registered and none is recorded: that was refused. */
async function unrecorded(): Promise<World> {
  const world = new World();
  world.onRecord = () => {
    throw new Overloaded('');
  };
  expect(await world.run()).toEqual({ retryAt: expect.any(Date) });
  expect([...world.registered]).toEqual(chunks(0, 6));
  world.onRecord = () => undefined;
  return world;
}

describe('chunks', () => {
  it('are requested while those before them are being written, and no more of them', async () => {
    const world = new World();
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    world.written = (first) => {
      if (first === 3) asked.resolve();
      return first === 0 ? held.promise : Promise.resolve();
    };
    const running = world.run();
    await asked.promise;
    await new Promise((resume) => setImmediate(resume));
    expect([[...world.registered], world.file.run]).toEqual([chunks(0, 6), 0]);
    held.resolve();
    expect(await running).toBe('done');
    expect([...world.registered]).toEqual(chunks(0, CHUNKS));
  });

  it('are not requested behind one that was changed', async () => {
    const world = new World();
    world.changed = 4;
    expect(await world.run()).toEqual({ retryAt: expect.any(Date) });
    expect([[...world.registered], world.file.run]).toEqual([chunks(0, 4), 4]);
  });
});

describe('a file that is cancelled', () => {
  it.each([
    ['is idle', false],
    ['is busy', true],
  ])('ends with all that may have been registered, and nothing else, when the process %s', async (_name, isBusy) => {
    const world = await unrecorded();
    world.cancel();
    world.isBusy = isBusy;
    expect(await world.run()).toBe('done');
    expect([...world.looked]).toEqual(chunks(0, 6));
    expect(world.file).toMatchObject({ state: 'Cancelled', registered: 6 * CHUNK_LINES, run: 6 });
  });

  it('while lines are being recorded ends with those that were requested ahead', async () => {
    const world = new World();
    world.onRecord = () => {
      if (world.file.run === 3) world.cancel();
      if (world.file.run >= 3) world.onRecord = () => undefined;
    };
    expect(await world.run()).toBe('done');
    expect([...world.registered]).toEqual(chunks(0, 9));
    expect(world.file).toMatchObject({ state: 'Cancelled', registered: 9 * CHUNK_LINES, endedAt: new Date(0) });
  });

  it('near its end has no more chunks than there are', async () => {
    const world = new World();
    world.onRecord = () => {
      if (world.file.run >= CHUNKS - 5) throw new Overloaded('');
    };
    await world.run();
    world.onRecord = () => undefined;
    world.cancel();
    expect(await world.run()).toBe('done');
    expect(world.file).toMatchObject({ state: 'Cancelled', registered: CHUNKS * CHUNK_LINES, run: CHUNKS });
  });
});

describe('an item of an earlier version', () => {
  it('is told its partner when its turn is over', async () => {
    const world = new World();
    world.onRecord = () => {
      throw new Overloaded('');
    };
    expect(await world.run(null)).toEqual({ retryAt: expect.any(Date), payload: { partnerUid: 'p' } });
  });
});
