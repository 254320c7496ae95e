import { Injectable, Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Statement } from '../../event-store/index.js';
import { Database, isConnectionFault } from '../../platform/database/index.js';
import { DeliverySeals } from './delivery-seals.js';
import { lockSendable, releaseNext, type SendableRow } from './delivery-table.js';
import type { Attempt, DeliveryStatus } from '../domain/delivery.js';

/** The outcome of a delivery leased by this process; writing it ends the lease. */
export interface DeliveryOutcome {
  readonly id: string;
  readonly chain: string;
  /** `null`: unchanged. */
  readonly status: DeliveryStatus | null;
  /** When the next attempt is due; `null` for none. */
  readonly dueAt: Date | null;
  /** Attempts of this run of the schedule. */
  readonly tries: number;
  /** `null` where no attempt was made: the delivery was only postponed. */
  readonly attempt: Attempt | null;
  /** The newest redelivery request when it was claimed: this outcome does not undo a newer one. */
  readonly redeliveryPosition: bigint;
  /** When the next delivery of the chain is due, if this one is final. */
  readonly nextDueAt: Date;
}

interface Waiting {
  readonly outcome: DeliveryOutcome;
  readonly lease: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const FINAL: ReadonlySet<DeliveryStatus | null> = new Set(['Delivered', 'Stopped', 'Exhausted']);
/** How long outcomes are batched, so that a busy sender writes many in one statement. */
const BATCH_MS = 4;
const MAX_BATCH = 256;
const MAX_TRIES = 4;
/** Of a batch that the database refuses, before its outcomes are written one by one. */
const TRIES_TOGETHER = 2;
const RETRY_MS = 250;
/** Attempts stored with a delivery: a schedule and several redeliveries. */
export const ATTEMPTS_KEPT = 100;

/** Writes outcomes in batches, and releases the next deliveries of their chains. */
@Injectable()
export class DeliveryOutcomes {
  readonly #queues = new Map<number, Waiting[]>();
  readonly #draining = new Set<number>();
  readonly #logger = new Logger(DeliveryOutcomes.name);

  constructor(
    private readonly database: Database,
    private readonly seals: DeliverySeals,
  ) {}

  /**
   * Resolves when the outcome is durable, or when the lease was lost: then another process repeats the delivery.
   * @throws the database's error, after several failed writes
   */
  write(partition: number, lease: string, outcome: DeliveryOutcome): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(partition) ?? [];
      this.#queues.set(partition, queue);
      queue.push({ outcome, lease, resolve, reject });
      if (!this.#draining.has(partition)) void this.#drain(partition, queue);
    });
  }

  async #drain(partition: number, queue: Waiting[]): Promise<void> {
    this.#draining.add(partition);
    while (queue.length > 0) {
      await new Promise((resume) => setTimeout(resume, BATCH_MS));
      await this.#settle(partition, queue.splice(0, MAX_BATCH));
    }
    this.#draining.delete(partition);
  }

  /** A batch that the database refuses is written one by one: what cannot be written keeps nobody else's back. */
  async #settle(partition: number, batch: readonly Waiting[], tries = MAX_TRIES): Promise<void> {
    try {
      await this.#write(partition, batch, tries);
      batch.forEach((waiting) => waiting.resolve());
    } catch (error) {
      if (batch.length === 1 || isConnectionFault(error)) return batch.forEach((waiting) => waiting.reject(error));
      for (const one of batch) await this.#settle(partition, [one], 1);
    }
  }

  async #write(partition: number, batch: readonly Waiting[], tries: number): Promise<void> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.database.transaction((client) => writeBatch(client, partition, batch, this.seals), partition);
      } catch (error) {
        if (tried === tries || (tried === TRIES_TOGETHER && batch.length > 1 && !isConnectionFault(error))) throw error;
        this.#logger.warn({ err: error, partition }, 'delivery outcomes not written, retrying');
        await new Promise((resume) => setTimeout(resume, RETRY_MS));
      }
    }
  }
}

async function writeBatch(
  client: PoolClient,
  partition: number,
  batch: readonly Waiting[],
  seals: DeliverySeals,
): Promise<void> {
  const outcomes = batch.map(({ outcome }) => outcome);
  const { rows } = await client.query<SendableRow>({
    ...lockSendable(
      partition,
      outcomes.map(({ chain }) => chain),
    ),
  });
  const newest = new Map(rows.map((row) => [row.id, BigInt(row.redelivery_position)]));
  // What was delivered needs no redelivery that was asked for meanwhile.
  const answered = outcomes.map(({ id, status, redeliveryPosition: claimed }) =>
    status === 'Delivered' ? (newest.get(id) ?? claimed) : claimed,
  );
  await client.query({ ...writeOutcomes(partition, batch, answered, seals) });
  // In a statement of its own: it sees deliveries added while the one above waited for a lock.
  const finished = outcomes.filter(({ status }) => FINAL.has(status));
  if (finished.length === 0) return;
  const nextDueAt = finished[0]!.nextDueAt;
  await client.query({
    ...releaseNext(
      partition,
      finished.map(({ chain }) => chain),
      nextDueAt,
    ),
  });
}

/** @param answered of each: the newest redelivery request that it answers. One that came later overtakes the outcome */
function writeOutcomes(
  partition: number,
  batch: readonly Waiting[],
  answered: readonly bigint[],
  seals: DeliverySeals,
): Statement {
  const outcomes = batch.map(({ outcome }) => outcome);
  return {
    name: 'webhook-outcomes',
    text: `
      with locked as (
        select d.id, d.redelivery_position from webhook_delivery d
        where d.partition = $1 and d.id = any($2::uuid[])
        order by d.id for update),
      n as (
        select n.*, l.redelivery_position > n.answered as overtaken
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::int[], $7::text[], $9::bigint[],
          $10::bytea[]) as n (id, lease, status, due_at, tries, attempt, answered, seal)
        join locked l on l.id = n.id)
      update webhook_delivery d
      set lease = null, leased_until = null,
        status = case when n.overtaken then 'Retrying' else coalesce(n.status, d.status) end,
        due_at = case when n.overtaken then d.due_at else n.due_at end,
        due_since = case when n.overtaken then d.due_since when n.attempt is null then coalesce(d.due_since, d.due_at)
          else n.due_at end,
        tries = case when n.overtaken then d.tries else n.tries end,
        seal = coalesce(n.seal, d.seal),
        attempts_made = d.attempts_made + (n.attempt is not null)::int,
        attempts = case
          when n.attempt is null then d.attempts
          when jsonb_array_length(d.attempts) < $8 then d.attempts || n.attempt::jsonb
          else d.attempts - 0 || n.attempt::jsonb end
      from n
      where d.partition = $1 and d.id = n.id and d.lease = n.lease`,
    values: [
      partition,
      outcomes.map(({ id }) => id),
      batch.map(({ lease }) => lease),
      outcomes.map(({ status }) => status),
      outcomes.map(({ dueAt }) => dueAt),
      outcomes.map(({ tries }) => tries),
      outcomes.map(({ attempt }) => attempt && JSON.stringify(attempt)),
      ATTEMPTS_KEPT,
      answered,
      outcomes.map(({ id, status, tries }, i) =>
        status === null ? null : seals.of({ id, status, tries, redeliveryPosition: answered[i]! }),
      ),
    ],
  };
}
