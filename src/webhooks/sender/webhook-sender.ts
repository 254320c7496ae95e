import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LeasedWork, type Worker } from '../../event-store/index.js';
import { webhookPolicy } from '../../pix/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Tracing } from '../../platform/observability/tracing/index.js';
import { SenderClosed } from '../../platform/outbound/attempt-error.js';
import { GuardedAgent } from '../../platform/outbound/guarded-agent.js';
import { nextWaitMs, type RetrySchedule } from '../../platform/outbound/retry-schedule.js';
import { type DeliveryOutcome, DeliveryOutcomes } from '../deliveries/delivery-outcomes.js';
import { DeliverySeals } from '../deliveries/delivery-seals.js';
import { deliverySource, type DueDelivery, WEBHOOK_SOURCE } from '../deliveries/delivery-work.js';
import { addressOf, type Attempt, type DeliveryTarget, originKeyOf } from '../domain/delivery.js';
import { attemptOutcome, type AttemptResult, isAlive, sendWebhook } from '../outbound/send-webhook.js';
import { signWebhook } from '../outbound/standard-webhooks.js';
import { type AttemptOutcome, WebhookMetrics } from '../webhook-metrics.js';
import { DeadReceivers } from './dead-receivers.js';
import { type Destination, Gate, type NoRoom, type OpenCircuit } from './gate.js';
import { Materials, type Message } from './materials.js';
import { SigningSecrets } from './signing-secrets.js';

/**
 * Concurrent attempts of one partner while no other has any, and half of those of this process; nearly all of their
 * time is waiting for receivers.
 */
const CONCURRENCY = 256;
/** Concurrent attempts of one partner to one origin: enough for 300 a second to a receiver that takes 100 ms. */
const PER_ORIGIN = 32;
const POLL_AGAIN_MS = 4;
const CLOSING_MS = 5_000;

/** Attempts deliveries and decides their outcome (decisions 8). */
@Injectable()
export class WebhookSender implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #schedule: RetrySchedule;
  readonly #agent: GuardedAgent;
  readonly #gate = new Gate(PER_ORIGIN);
  readonly #logger = new Logger('Webhooks');
  #polling: NodeJS.Timeout | undefined;
  #closing = false;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly work: LeasedWork,
    private readonly materials: Materials,
    private readonly secrets: SigningSecrets,
    private readonly outcomes: DeliveryOutcomes,
    private readonly seals: DeliverySeals,
    private readonly deadReceivers: DeadReceivers,
    private readonly metrics: WebhookMetrics,
    private readonly tracing: Tracing,
    @Inject(CONFIG) config: Config,
  ) {
    this.#schedule = config.webhooks.retrySchedule;
    this.#agent = new GuardedAgent({ policy: webhookPolicy(config) });
    metrics.circuits(() => this.#gate.openCircuits());
  }

  worker(): Worker<DueDelivery> {
    return {
      source: deliverySource(() => (this.#closing ? NOTHING : this.#gate.allowances())),
      concurrency: CONCURRENCY,
      perform: (delivery) => this.#perform(delivery),
    };
  }

  /** A redelivery or a test was requested: an open circuit is probed at once. */
  hurry(targets: readonly DeliveryTarget[]): void {
    for (const target of targets) this.#gate.hurry(destinationOf(target));
  }

  /** The open circuit of a target; each process has its own circuits. */
  circuitOf(target: DeliveryTarget): OpenCircuit | null {
    return this.#gate.circuitOf(destinationOf(target));
  }

  /** Claims nothing new; attempts under way have some seconds to end, as requests have. */
  beforeApplicationShutdown(): void {
    this.#closing = true;
    clearTimeout(this.#polling);
    this.#closed ??= this.#close();
  }

  async onApplicationShutdown(): Promise<void> {
    this.beforeApplicationShutdown();
    await this.#closed;
  }

  async #close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, CLOSING_MS)));
    await Promise.race([this.#agent.close(), timeout]);
    clearTimeout(timer);
    await this.#agent.destroy();
  }

  async #perform(delivery: DueDelivery): Promise<void> {
    const { partnerUid, originKey, url } = delivery;
    const pass = this.#gate.enter({ partnerUid, originKey, address: addressOf(url) });
    if ('notFor' in pass) return this.#noRoom(delivery, pass);
    let alive: boolean | undefined;
    let result: AttemptResult;
    try {
      result = await this.#traced(delivery);
      alive = isAlive(result);
    } catch (error) {
      if (error instanceof SenderClosed) return await this.#write(delivery, postponed(delivery, 0));
      throw error;
    } finally {
      const { dead, wasFull } = pass.leave(alive);
      if (dead) void this.deadReceivers.exhaustOverdue(delivery).then(() => this.deadReceivers.putFirst(delivery));
      if (wasFull) this.#pollAgain();
    }
    await this.#settle(delivery, result);
  }

  /** Postpones the delivery; one to a dead address is exhausted when it has been due for its whole schedule. */
  async #noRoom(delivery: DueDelivery, { notFor, dead }: NoRoom): Promise<void> {
    const exhausted = dead && this.deadReceivers.isOverdue(delivery);
    const later = postponed(delivery, notFor);
    await this.#write(
      delivery,
      exhausted ? { ...later, status: 'Exhausted', dueAt: null, nextDueAt: new Date() } : later,
    );
    if (exhausted) this.metrics.exhausted(1);
    if (dead) await this.deadReceivers.postpone(delivery, notFor);
  }

  /** With tracing on, an attempt is a span in the trace of its event, and passes it on to the receiver. */
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
    const message = await this.materials.open(delivery);
    // Only now is its partner known to be its own.
    const [newest, ...older] = message ? await this.secrets.of(delivery.partnerUid) : [];
    // A failed attempt: else it would block its chain for ever.
    if (!message || !newest) return { startedAt: new Date(), durationMs: 0, httpStatus: null, error: 'NotPrepared' };
    const signing = { id: delivery.id, timestamp: new Date(), body: message.body };
    const signature = signWebhook(signing, [newest, ...older]);
    return sendWebhook(this.#agent, {
      url: delivery.url,
      body: message.body,
      headers: { ...(traceparent && !namesTrace(message) && { traceparent }), ...message.customHeader, ...signature },
    });
  }

  async #settle(delivery: DueDelivery, result: AttemptResult): Promise<void> {
    const { id, chain } = delivery;
    const tries = this.#triesOf(delivery) + 1;
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
    this.#report(delivery, result, OUTCOMES[status]);
    await this.#write(delivery, {
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

  /**
   * A delivery is not given up because its row says so: where nobody has sealed its tries, the schedule begins anew.
   */
  #triesOf(delivery: DueDelivery): number {
    if (this.seals.fits(delivery)) return delivery.tries;
    this.#logger.error({ delivery: delivery.id }, 'the tries of a delivery are not sealed: its schedule begins anew');
    return 0;
  }

  #write({ partition, lease }: DueDelivery, outcome: DeliveryOutcome): Promise<void> {
    return this.outcomes.write(partition, lease.name, outcome);
  }

  #report({ id, chain, dueAt }: DueDelivery, result: AttemptResult, outcome: AttemptOutcome): void {
    const lag = (result.startedAt.getTime() - dueAt.getTime()) / 1000;
    this.metrics.attempt(outcome, result.durationMs / 1000, lag);
    if (outcome === 'delivered') return;
    const { httpStatus, error, detail } = result;
    const facts = { delivery: id, transaction: chain, httpStatus, error, detail };
    if (outcome === 'failed') this.#logger.debug(facts, 'webhook attempt failed, to be retried');
    else this.#logger.warn(facts, `webhook not delivered: ${outcome}`);
  }

  /** There is room again: more deliveries may be waiting for it. */
  #pollAgain(): void {
    if (this.#closing) return;
    this.#polling ??= setTimeout(() => {
      this.#polling = undefined;
      this.work.poll(WEBHOOK_SOURCE);
    }, POLL_AGAIN_MS);
  }
}

function destinationOf({ partnerUid, url }: DeliveryTarget): Destination {
  return { partnerUid, originKey: originKeyOf(partnerUid, url), address: addressOf(url) };
}

const NOTHING = { origins: new Map(), otherOrigins: 0 };

const OUTCOMES = { Delivered: 'delivered', Stopped: 'stopped', Exhausted: 'exhausted', Retrying: 'failed' } as const;

/** A `traceparent` set by the client as its custom header takes precedence. */
function namesTrace({ customHeader }: Message): boolean {
  return Object.keys(customHeader).some((name) => name.toLowerCase() === 'traceparent');
}

function postponed({ id, chain, tries, redeliveryPosition }: DueDelivery, ms: number): DeliveryOutcome {
  const dueAt = new Date(Date.now() + ms);
  return { id, chain, status: null, dueAt, tries, attempt: null, redeliveryPosition, nextDueAt: dueAt };
}

function shown({ startedAt, durationMs, httpStatus, error }: AttemptResult, number: number): Attempt {
  return { number, startedAt: startedAt.toISOString(), durationMs, httpStatus, error };
}
