import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  BACKLOG_COUNTED,
  FREE,
  LEASED_UNTIL,
  LeasedWork,
  NEXT_ATTEMPT,
  roomWithoutOwners,
  type ClaimedWork,
  type WorkSource,
} from '../../../event-store/index.js';
import { Coalesced, Database } from '../../../platform/database/index.js';

/** What a notification is about. */
export type NotificationKind = 'PaymentOut' | 'PaymentIn' | 'RefundOut' | 'RefundIn';

/** The charge that a payment pays, and its payer. */
export interface ChargePaid {
  /** Host and path, no scheme. */
  readonly location: string;
  /** Centavos in decimal text. */
  readonly amount: string;
  /** Sealed for the payment's EndToEndId, base64. */
  readonly payer: string;
}

export type TaskPlan =
  /** The payment ends. `sentBack` is centavos in decimal text. `charge`: what was paid is a charge of this bank too. */
  | {
      readonly kind: 'Settle';
      readonly payload: {
        readonly status: string;
        readonly code?: string;
        readonly sentBack?: string;
        readonly charge?: ChargePaid;
      };
    }
  /** The payee's bank sends money back. */
  | { readonly kind: 'SendBack'; readonly payload: Record<string, never> }
  /** The service is notified later. */
  | { readonly kind: 'Tell'; readonly payload: { readonly news: NotificationKind } };

/** A task that the sandbox does at a time, in whichever process. */
export type NewTask = TaskPlan & {
  readonly id: string;
  /** Identifier of the payment or refund. */
  readonly subject: string;
  readonly dueAt: Date;
};

export type Task = ClaimedWork &
  TaskPlan & {
    readonly subject: string;
    /** How often it was begun, this time included. */
    readonly attempts: number;
  };

/** The time of a task that is due once its payment was ended by force. */
export const WHEN_FORCED = new Date('9999-12-31T00:00:00Z');

export function newTask(plan: TaskPlan, subject: string, dueAt: Date): NewTask {
  return { ...plan, id: randomUUID(), subject, dueAt };
}

/** SQL: plans the tasks (`n`) whose columns are five parameters, of which this is the first. */
export function planTasks(first: number): string {
  const [id, kind, subject, payload, dueAt] = Array.from({ length: 5 }, (_, i) => `$${first + i}`);
  return `
        insert into sandbox.task (id, kind, subject, payload, due_at)
        select n.id, n.kind, n.subject, n.payload::json, n.due_at
        from unnest(${id}::uuid[], ${kind}::text[], ${subject}::text[], ${payload}::text[], ${dueAt}::timestamptz[])
          as n (id, kind, subject, payload, due_at)`;
}

/** The parameters of `planTasks`. */
export function taskColumns(tasks: readonly NewTask[]): unknown[] {
  return [
    tasks.map(({ id }) => id),
    tasks.map(({ kind }) => kind),
    tasks.map(({ subject }) => subject),
    tasks.map(({ payload }) => JSON.stringify(payload)),
    tasks.map(({ dueAt }) => dueAt),
  ];
}

/** The sandbox is one bank without partitions: its tasks have this one. */
const NO_PARTITION = 0;
/** Tasks due within the same window are begun together. */
const WINDOW_MS = 10;
/** Later tasks are left to polling. */
const LONGEST_WAIT_MS = 5_000;

/** The sandbox's tasks, done by leased work, so that they survive a process. */
@Injectable()
export class Tasks {
  readonly #done = new Coalesced<{ id: string; lease: string }, void>((done) => this.#delete(done));
  readonly #windows = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly work: LeasedWork,
  ) {}

  async add(tasks: readonly NewTask[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.database.query({
      name: 'sandbox-task-add',
      text: planTasks(1),
      values: taskColumns(tasks),
    });
    for (const { dueAt } of tasks) this.expect(dueAt);
  }

  /** Has this process poll when a task is due. Losing the timer costs a poll interval. */
  expect(dueAt: Date): void {
    const window = Math.ceil(dueAt.getTime() / WINDOW_MS);
    const wait = window * WINDOW_MS - Date.now();
    if (wait > LONGEST_WAIT_MS || this.#windows.has(window)) return;
    this.#windows.add(window);
    const poll = () => {
      this.#windows.delete(window);
      this.work.poll(taskSource.name, NO_PARTITION);
    };
    setTimeout(poll, Math.max(0, wait)).unref();
  }

  finish({ id, lease }: Task): Promise<void> {
    return this.#done.run({ id, lease: lease.name });
  }

  async again({ id, lease }: Task, dueAt: Date): Promise<void> {
    await this.database.query({
      name: 'sandbox-task-again',
      text: `
        update sandbox.task set due_at = $3, lease = null, leased_until = null
        where id = $1 and lease = $2`,
      values: [id, lease.name, dueAt],
    });
  }

  /** Removes a task that was done otherwise. */
  async remove(id: string): Promise<void> {
    await this.database.query({
      name: 'sandbox-task-remove',
      text: 'delete from sandbox.task where id = $1',
      values: [id],
    });
  }

  async #delete(done: readonly { id: string; lease: string }[]): Promise<void[]> {
    await this.database.query({
      name: 'sandbox-task-done',
      text: `
        delete from sandbox.task t using unnest($1::uuid[], $2::uuid[]) as n (id, lease)
        where t.id = n.id and t.lease = n.lease`,
      values: [done.map(({ id }) => id), done.map(({ lease }) => lease)],
    });
    return done.map(() => undefined);
  }
}

export const taskSource: WorkSource<Task> = {
  name: 'sandbox',
  place: {
    partitions: [NO_PARTITION],
    waiting: (_partition, [source], by) => ({
      name: 'sandbox-task-waiting',
      text: `
        select $1::text as source
        where exists (
          select from sandbox.task
          where due_at <= $2 and ${FREE})`,
      values: [source, by],
    }),
  },
  due: (now, room) => ({
    name: 'sandbox-task-due',
    text: `
      select ${NO_PARTITION} as partition, id, due_at from sandbox.task
      where due_at <= $1 and ${FREE}
      order by due_at limit $2`,
    values: [now, roomWithoutOwners(room)],
  }),
  backlog: (now) => ({
    name: 'sandbox-task-backlog',
    text: `
      select count(due_at)::int as due, min(due_at) as oldest
      from (select due_at from sandbox.task where due_at <= $1 order by due_at limit $2) d`,
    values: [now, BACKLOG_COUNTED],
  }),
  // By key, as work is claimed; `coalesce` keeps the index of due tasks out of it.
  claim: (_partition, ids, lease, now) => ({
    name: 'sandbox-task-claim',
    text: `
      with free as materialized (
        select id from sandbox.task
        where id = any($1::uuid[]) and coalesce(due_at, 'infinity') <= $3
          and ${FREE}
        for update skip locked)
      update sandbox.task set lease = $2, leased_until = ${LEASED_UNTIL}, attempts = ${NEXT_ATTEMPT}
      where id = any(array(select id from free))
      returning id, kind, subject, payload, attempts`,
    values: [ids, lease, now],
  }),
  renew: (_partition, ids, lease) => ({
    name: 'sandbox-task-renew',
    text: `
      update sandbox.task set leased_until = ${LEASED_UNTIL} where id = any($1::uuid[]) and lease = $2 returning id`,
    values: [ids, lease],
  }),
  release: (_partition, ids, lease) => ({
    name: 'sandbox-task-release',
    text: 'update sandbox.task set lease = null, leased_until = null where id = any($1::uuid[]) and lease = $2',
    values: [ids, lease],
  }),
  parse: (row, lease) =>
    ({
      lease,
      partition: NO_PARTITION,
      id: row.id as string,
      kind: row.kind as string,
      subject: row.subject as string,
      payload: row.payload as unknown,
      attempts: row.attempts as number,
    }) as Task,
};
