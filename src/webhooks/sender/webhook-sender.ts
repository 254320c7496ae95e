import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createdAt, LeasedWork, type Worker } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Tracing } from '../../platform/observability/tracing/index.js';
import { addressPolicy } from '../../platform/outbound/address-policy.js';
import { SenderClosed } from '../../platform/outbound/attempt-error.js';
import { GuardedAgent } from '../../platform/outbound/guarded-agent.js';
import { nextWaitMs, type RetrySchedule } from '../../platform/outbound/retry-schedule.js';
import { type DeliveryOutcome, DeliveryOutcomes } from '../delivery-outcomes.js';
import { deliverySource, type DueDelivery, WEBHOOK_SOURCE } from '../delivery-work.js';
import { addressOf, type Attempt, type DeliveryTarget, laneOf } from '../domain/delivery.js';
import { attemptOutcome, type AttemptResult, sendWebhook } from '../outbound/send-webhook.js';
import { signWebhook } from '../outbound/standard-webhooks.js';
import { type AttemptOutcome, WebhookMetrics } from '../webhook-metrics.js';
import { type Destination, Gate, type NoRoom, type OpenCircuit } from './gate.js';
import { Materials, type Message } from './materials.js';
import { SigningSecrets } from './signing-secrets.js';

/** Attempts at once of a partner that is alone, in this process; nearly all of their time is waiting for receivers. */
const CONCURRENCY = 256;
/** Attempts of one partner at once to one origin: enough for 300 a second to a receiver that takes 100 ms. */
const PER_LANE = 32;
const LOOK_AGAIN_MS = 4;
const CLOSING_MS = 5_000;
/** A schedule of seconds must not end in a moment what a dead receiver has held back. */
const LEAST_SPAN_MS = 10_000;

/** Makes attempts at deliveries and decides what becomes of them (decisions 8). */
@Injectable()
export class WebhookSender implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #schedule: RetrySchedule;
  /** The schedule from its first step to its last, in milliseconds; at least some seconds. */
  readonly #span: number;
  readonly #agent: GuardedAgent;
  readonly #gate = new Gate(PER_LANE);
  readonly #logger = new Logger('Webhooks');
  #looking: NodeJS.Timeout | undefined;
  #closing = false;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly work: LeasedWork,
    private readonly materials: Materials,
    private readonly secrets: SigningSecrets,
    private readonly outcomes: DeliveryOutcomes,
    private readonly metrics: WebhookMetrics,
    private readonly tracing: Tracing,
    @Inject(CONFIG) { webhooks, production }: Config,
  ) {
    const { retrySchedule, allowedNetworks, allowHttp } = webhooks;
    this.#schedule = retrySchedule;
    this.#span = Math.max(
      LEAST_SPAN_MS,
      retrySchedule.reduce((sum, step) => sum + step, 0),
    );
    this.#agent = new GuardedAgent({
      policy: addressPolicy({ allowedNetworks, allowHttp, allowLoopback: !production }),
    });
    metrics.circuits(() => this.#gate.openCircuits());
  }

  worker(): Worker<DueDelivery> {
    return {
      source: deliverySource(() => (this.#closing ? NOTHING : this.#gate.allowances())),
      concurrency: CONCURRENCY,
      perform: (delivery, lease) => this.#perform(delivery, lease),
    };
  }

  /** Somebody asked for a delivery there: a circuit that is open is probed at once. */
  hurry(targets: readonly DeliveryTarget[]): void {
    for (const target of targets) this.#gate.hurry(destinationOf(target));
  }

  /** Whether a receiver is taken for dead, as this process knows it; each process has its own circuits. */
  circuitOf(target: DeliveryTarget): OpenCircuit | null {
    return this.#gate.circuitOf(destinationOf(target));
  }

  /** Takes nothing new; attempts under way have a while to end, beside the requests that have it too. */
  beforeApplicationShutdown(): void {
    this.#closing = true;
    clearTimeout(this.#looking);
    this.#closed ??= this.#close();
  }

  async onApplicationShutdown(): Promise<void> {
    this.beforeApplicationShutdown();
    await this.#closed;
  }

  async #close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, CLOSING_MS)));
    await Promise.race([this.#agent.close(), patience]);
    clearTimeout(timer);
    await this.#agent.destroy();
  }

  async #perform(delivery: DueDelivery, lease: string): Promise<void> {
    const { partition, partnerUid, lane, url } = delivery;
    const pass = this.#gate.enter({ partnerUid, lane, address: addressOf(url) });
    if ('notFor' in pass) return this.#noRoom(delivery, lease, pass);
    let alive: boolean | undefined;
    let result: AttemptResult;
    try {
      result = await this.#traced(delivery);
      alive = showsLife(result);
    } catch (error) {
      if (error instanceof SenderClosed) return await this.outcomes.write(partition, lease, putOff(delivery, 0));
      throw error;
    } finally {
      const { dead, wasFull } = pass.leave(alive);
      if (dead) void this.#endOverdue(delivery);
      if (wasFull) this.#lookAgain();
    }
    await this.#settle(delivery, lease, result);
  }

  /** Puts the delivery off; one to a dead address is given up once it is twice as old as its schedule is long. */
  async #noRoom(delivery: DueDelivery, lease: string, { notFor, dead }: NoRoom): Promise<void> {
    const age = Date.now() - createdAt(delivery.id);
    const givenUp = dead && delivery.redeliveryPosition === 0n && age > 2 * this.#span;
    const later = putOff(delivery, notFor);
    await this.outcomes.write(
      delivery.partition,
      lease,
      givenUp ? { ...later, status: 'Exhausted', dueAt: null, nextDueAt: new Date() } : later,
    );
    if (givenUp) this.metrics.exhausted(1);
  }

  /** Where traces are on, an attempt is part of the trace of the event that it tells of, and says so to the receiver. */
  async #traced(delivery: DueDelivery): Promise<AttemptResult> {
    const { tracer } = this.tracing;
    if (!tracer) return this.#attempt(delivery);
    const parent = await this.materials.traceOf(delivery);
    const attributes = { 'payments.delivery': delivery.id, 'payments.transaction': delivery.chain };
    return tracer.span('webhook attempt', { kind: 'client', parent, attributes }, async (span) => {
      const result = await this.#attempt(delivery, span.traceparent);
      const { httpStatus, error } = result;
      span.set({ 'payments.attempt': delivery.attemptsMade + 1 });
      if (httpStatus !== null) span.set({ 'http.response.status_code': httpStatus });
      if (attemptOutcome(result) === 'Failed') span.fail(error ?? `status ${httpStatus}`);
      return result;
    });
  }

  async #attempt(delivery: DueDelivery, traceparent?: string): Promise<AttemptResult> {
    const [message, secrets] = await Promise.all([this.materials.open(delivery), this.secrets.of(delivery.partnerUid)]);
    // An attempt that failed: else it would hold its chain back for ever.
    if (!message) return { startedAt: new Date(), durationMs: 0, httpStatus: null, error: 'NotPrepared' };
    const signature = signWebhook({ id: delivery.id, timestamp: new Date(), body: message.body }, secrets);
    return sendWebhook(this.#agent, {
      url: delivery.url,
      body: message.body,
      headers: { ...(traceparent && !namesTrace(message) && { traceparent }), ...message.customHeader, ...signature },
    });
  }

  async #settle(delivery: DueDelivery, lease: string, result: AttemptResult): Promise<void> {
    const { partition, id, chain } = delivery;
    const tries = delivery.tries + 1;
    const outcome = attemptOutcome(result);
    const now = Date.now();
    const wait =
      outcome === 'Failed' ? nextWaitMs(this.#schedule, tries, result.retryAfterSeconds, Math.random()) : undefined;
    const status =
      outcome === 'Delivered'
        ? 'Delivered'
        : outcome === 'Gone'
          ? 'Stopped'
          : wait === undefined
            ? 'Exhausted'
            : 'Retrying';
    this.#tell(delivery, result, OUTCOMES[status]);
    await this.outcomes.write(partition, lease, {
      id,
      chain,
      status,
      dueAt: wait === undefined ? null : new Date(now + wait),
      tries,
      redeliveryPosition: delivery.redeliveryPosition,
      attempt: shown(result, delivery.attemptsMade + 1),
      nextDueAt: new Date(now + this.#schedule[0]!),
    });
  }

  /** A receiver that stays dead keeps its backlog waiting for probes; none waits longer than its whole schedule. */
  async #endOverdue(delivery: DueDelivery): Promise<void> {
    const now = Date.now();
    try {
      const before = new Date(now - this.#span);
      const ended = await this.outcomes.exhaustOverdue(delivery, before, new Date(now));
      if (ended === 0) return;
      this.metrics.exhausted(ended);
      this.#logger.warn(
        { partner: delivery.partnerUid, deliveries: ended },
        'webhooks to a dead receiver were given up',
      );
    } catch (error) {
      this.#logger.warn({ err: error }, 'overdue webhooks could not be given up; the next failed probe does it');
    }
  }

  #tell({ id, chain, dueAt }: DueDelivery, result: AttemptResult, outcome: AttemptOutcome): void {
    const lag = (result.startedAt.getTime() - dueAt.getTime()) / 1000;
    this.metrics.attempt(outcome, result.durationMs / 1000, lag);
    if (outcome === 'delivered') return;
    const { httpStatus, error, detail } = result;
    const facts = { delivery: id, transaction: chain, httpStatus, error, detail };
    if (outcome === 'failed') this.#logger.debug(facts, 'a webhook was not taken; it is tried again');
    else this.#logger.warn(facts, `a webhook was not taken: ${outcome}`);
  }

  /** Room was made: there may be more for it. */
  #lookAgain(): void {
    if (this.#closing) return;
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      this.work.look(WEBHOOK_SOURCE);
    }, LOOK_AGAIN_MS);
  }
}

function destinationOf({ partnerUid, url }: DeliveryTarget): Destination {
  return { partnerUid, lane: laneOf(partnerUid, url), address: addressOf(url) };
}

const NOTHING = { lanes: new Map(), otherLanes: 0 };

const OUTCOMES = { Delivered: 'delivered', Stopped: 'stopped', Exhausted: 'exhausted', Retrying: 'failed' } as const;

/**
 * An answer that refuses the message, whatever it thinks of it, comes from a receiver that works. What was not sent says
 * nothing of the receiver.
 */
function showsLife({ httpStatus, error }: AttemptResult): boolean | undefined {
  if (error === 'NotPrepared') return undefined;
  return error === null && httpStatus !== null && httpStatus < 500 && httpStatus !== 429 && httpStatus !== 408;
}

/** A client that set this header for itself gets what it asked for. */
function namesTrace({ customHeader }: Message): boolean {
  return Object.keys(customHeader).some((name) => name.toLowerCase() === 'traceparent');
}

function putOff({ id, chain, tries, redeliveryPosition }: DueDelivery, ms: number): DeliveryOutcome {
  const dueAt = new Date(Date.now() + ms);
  return { id, chain, status: null, dueAt, tries, attempt: null, redeliveryPosition, nextDueAt: dueAt };
}

function shown({ startedAt, durationMs, httpStatus, error }: AttemptResult, number: number): Attempt {
  return { number, startedAt: startedAt.toISOString(), durationMs, httpStatus, error };
}
