import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { answerCalls, LinkClient, NotTaken } from './link.js';

/** Longest wait for another worker's answer; a command has 10 s in its lane, and may ask the rail before. */
const PATIENCE_MS = 30_000;
/** How long a worker that ends waits for what it does for others. */
const GRACE_MS = 5_000;

/** The place of this process among the workers of its service. */
export interface Membership {
  /** Its number, from 0. */
  readonly worker: number;
  readonly workers: number;
  /** So many of them own partitions while all serve: the first ones. */
  readonly owners: number;
  /** Folder of the workers' sockets; nobody else may enter it. */
  readonly folder: string;
}

/** What the primary process tells the workers: which of them serve. */
export interface Roster {
  readonly serving: readonly number[];
}

/**
 * The other workers of this service on this machine, and which of them owns a partition: the one that writes to it,
 * follows it and does its work. Ownership only makes the work cheap and is never needed to be right: the row lock on a
 * partition's head is, as between machines. A process that is alone owns everything.
 */
@Injectable()
export class Peers implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #handlers = new Map<string, (value: unknown) => Promise<unknown>>();
  readonly #clients = new Map<number, LinkClient>();
  #server: Server | undefined;
  #serving: ReadonlySet<number> = new Set();
  /** By partition modulo owners; `undefined`: this one. */
  #owners: readonly (number | undefined)[] = [];
  #leaving = false;
  #refusing = false;
  /** Calls of others in progress. */
  #running = 0;
  #idle: () => void = () => undefined;

  /** @param membership absent: the process is alone */
  constructor(private readonly membership?: Membership) {}

  /** @returns when others can reach this worker */
  async listen(): Promise<void> {
    const { membership } = this;
    if (!membership) return;
    this.#server = createServer((socket) => answerCalls(socket, (kind, value) => this.#carryOut(kind, value)));
    // Exclusive: the primary process would share it among the workers, as it does the port.
    const path = socketOf(membership, membership.worker);
    // The one before it may have been killed.
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) =>
      this.#server!.once('error', reject).listen({ path, exclusive: true }, resolve),
    );
    process.on('message', (message: Partial<Roster>) => {
      if (message.serving) this.#follow(message as Roster);
    });
  }

  /** Whether there can be other workers. */
  get isAlone(): boolean {
    return this.membership === undefined;
  }

  /** The number of this worker, from 0; `undefined` for a process that is alone. */
  get worker(): number | undefined {
    return this.membership?.worker;
  }

  /** Workers of the service on this machine, those included that are starting or ended. */
  get workers(): number {
    return this.membership?.workers ?? 1;
  }

  /** Other workers that serve now. */
  get others(): readonly number[] {
    return [...this.#serving].filter((worker) => worker !== this.membership!.worker);
  }

  owns(partition: number): boolean {
    return this.ownerOf(partition) === undefined;
  }

  /** The other worker that owns a partition; `undefined` if this one does. */
  ownerOf(partition: number): number | undefined {
    return this.#owners.length === 0 || this.#leaving ? undefined : this.#owners[partition % this.#owners.length];
  }

  /** Answers calls of this kind from now on. */
  serve(kind: string, handler: (value: unknown) => Promise<unknown>): void {
    this.#handlers.set(kind, handler);
  }

  /** @throws NotTaken, NoAnswer; what the other worker threw, with the nearest class of `platform/errors` */
  call(worker: number, kind: string, value: unknown): Promise<unknown> {
    let client = this.#clients.get(worker);
    if (!client) {
      if (!this.membership) return Promise.reject(new NotTaken());
      const made = new LinkClient(connect(socketOf(this.membership, worker)), PATIENCE_MS, () => {
        if (this.#clients.get(worker) === made) this.#clients.delete(worker);
      });
      this.#clients.set(worker, (client = made));
    }
    return client.call(kind, value);
  }

  /** Asks all others that serve. @returns the answers of those that answered within that time */
  async callAll(kind: string, value: unknown, withinMs: number): Promise<unknown[]> {
    if (!this.membership) return [];
    const answers: unknown[] = [];
    const calls = this.others.map((worker) =>
      this.call(worker, kind, value).then(
        (answer) => void answers.push(answer),
        () => undefined,
      ),
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.all(calls), late]);
    clearTimeout(timer);
    return answers;
  }

  /** The first step of a shutdown: from now on this worker does everything that it is asked for by itself. */
  onModuleDestroy(): void {
    this.#leaving = true;
    if (this.membership && process.connected) process.send!({ leaving: true });
  }

  /** Takes no calls any more, and finishes those in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#refusing = true;
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
      setTimeout(resolve, GRACE_MS).unref();
    });
  }

  onApplicationShutdown(): void {
    this.#server?.close();
    this.#clients.forEach((client) => client.close());
  }

  #carryOut(kind: string, value: unknown): Promise<unknown> | undefined {
    const handler = this.#handlers.get(kind);
    if (this.#refusing || !handler) return undefined;
    const done = handler(value);
    this.#running += 1;
    return done.finally(() => {
      if ((this.#running -= 1) === 0) this.#idle();
    });
  }

  #follow({ serving }: Roster): void {
    const { worker, workers, owners } = this.membership!;
    this.#serving = new Set(serving);
    this.#owners = Array.from({ length: owners }, (_, i) => {
      const owner = ownerAmong(serving, workers, i);
      return owner === worker ? undefined : owner;
    });
  }
}

/**
 * Who owns the partitions that are `i` modulo the owners: worker `i`, or the next one that serves. @returns
 * `undefined` if none serves
 */
function ownerAmong(serving: readonly number[], workers: number, i: number): number | undefined {
  for (let k = 0; k < workers; k++) if (serving.includes((i + k) % workers)) return (i + k) % workers;
  return undefined;
}

function socketOf({ folder }: Membership, worker: number): string {
  return join(folder, `${worker}.sock`);
}

/**
 * How many workers own partitions. With one owner batches are as large, and the log is followed as rarely, as with one
 * process: on few cores that decides. An owner more is worth it where cores would be idle (ADR 0033).
 */
export function ownersFor(workers: number, cores: number): number {
  return Math.min(workers, Math.max(1, Math.floor(cores / 4)));
}
