import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { LeasedWork } from '../../../event-store/index.js';
import type { RailParty } from '../pix-rail.js';
import { Charges } from './charges.js';
import { PartyBox } from './party-box.js';
import { PaymentsIn } from './payments-in.js';
import { PaymentsOut } from './payments-out.js';
import { Refunds } from './refunds.js';
import type { Ending } from './script.js';
import { SandboxBehaviour } from './behaviour.js';
import { type ChargePaid, type NotificationKind, type Task, taskSource, Tasks } from './tasks.js';
import { SandboxNotifier } from './notifier.js';

const CONCURRENCY = 128;
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
/** After that only queries and sweeps of the ledger find it: a real bank gives up too. */
const MAX_ATTEMPTS = 12;

/** Does the sandbox's planned tasks. Every step is idempotent. */
@Injectable()
export class TaskWorker implements OnModuleInit {
  readonly #logger = new Logger('Sandbox rail');

  constructor(
    private readonly work: LeasedWork,
    private readonly tasks: Tasks,
    private readonly notifier: SandboxNotifier,
    private readonly behaviour: SandboxBehaviour,
    private readonly paymentsOut: PaymentsOut,
    private readonly paymentsIn: PaymentsIn,
    private readonly refunds: Refunds,
    private readonly charges: Charges,
    private readonly box: PartyBox,
  ) {}

  onModuleInit(): void {
    this.work.register<Task>({
      source: taskSource,
      concurrency: CONCURRENCY,
      perform: (task) => this.#perform(task),
    });
  }

  async #perform(task: Task): Promise<void> {
    try {
      await this.#do(task);
    } catch (error) {
      const { kind, subject, attempts } = task;
      if (attempts < MAX_ATTEMPTS) {
        const pause = Math.min(MIN_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
        this.#logger.warn({ err: error, kind, subject }, 'a task of the sandbox failed; it is retried');
        return this.tasks.again(task, new Date(Date.now() + pause));
      }
      this.#logger.error({ err: error, kind, subject }, 'a task of the sandbox failed too often; it is dropped');
    }
    await this.tasks.finish(task);
  }

  async #do(task: Task): Promise<void> {
    switch (task.kind) {
      case 'Settle':
        return this.#settle(task.subject, task.payload);
      case 'SendBack': {
        const returned = await this.refunds.sendBack(task.subject);
        await this.notifier.notify('RefundIn', task.subject, (inbox) => inbox.moneyReturned(returned));
        return;
      }
      case 'Tell':
        return this.#notifyLate(task.payload.news, task.subject);
    }
  }

  async #settle(endToEndId: string, payload: Extract<Task, { kind: 'Settle' }>['payload']): Promise<void> {
    const { status, code, sentBack, charge } = payload;
    const ending = { status, ...(code !== undefined && { code }) } as Ending;
    const { outcome } = await this.paymentsOut.end(endToEndId, ending, new Date());
    // Also if an earlier attempt ended it: its process may have died before the next steps.
    if (outcome.status === 'Settled' && sentBack !== undefined) {
      await this.refunds.planReturn(endToEndId, BigInt(sentBack), outcome.at);
    }
    if (outcome.status === 'Settled' && charge) await this.#payCharge(endToEndId, charge);
    await this.notifier.notify('PaymentOut', endToEndId, (inbox) => inbox.cashOutChanged(endToEndId, outcome));
  }

  /** If the service paid a charge of its own, the payment comes in as it went out. */
  async #payCharge(paidBy: string, { location, amount, payer }: ChargePaid): Promise<void> {
    const charge = await this.charges.at(location);
    if (!charge) return;
    const party = this.box.open<RailParty>(paidBy, Buffer.from(payer, 'base64'));
    const { payment, task } = await this.paymentsIn.bookOwn(paidBy, charge.txid, BigInt(amount), party);
    const disposition = await this.notifier.notify('PaymentIn', payment.endToEndId, (inbox) =>
      inbox.paymentReceived(payment),
    );
    if (disposition) await this.paymentsIn.dispose(payment.endToEndId, disposition);
    await this.tasks.remove(task);
  }

  /** A notification that was delayed, or may have been lost with its process. */
  async #notifyLate(kind: NotificationKind, id: string): Promise<void> {
    if ((await this.behaviour.get()).notifications === 'drop') return;
    const { inbox } = this.notifier;
    switch (kind) {
      case 'PaymentOut':
        await inbox.cashOutChanged(id, await this.paymentsOut.find(id));
        return;
      case 'PaymentIn': {
        const payment = await this.paymentsIn.find(id);
        if (payment) await this.paymentsIn.dispose(id, await inbox.paymentReceived(payment));
        return;
      }
      case 'RefundOut':
        await inbox.refundChanged(id, await this.refunds.find(id));
        return;
      case 'RefundIn':
        await inbox.moneyReturned(await this.refunds.sendBack(id));
        return;
    }
  }
}
