import { Injectable, Logger } from '@nestjs/common';
import type { RailParty } from '../pix-rail.js';
import type { PaymentDisposition } from '../rail-notifications.js';
import { SandboxBehaviour } from './behaviour.js';
import { PaymentsIn } from './payments-in.js';
import { Tasks } from './tasks.js';
import { SandboxNotifier } from './notifier.js';

/** The outcome for the payer: the money arrived, or was returned. */
export type PaidOutcome = 'Settled' | 'Returned';

export interface PaidCharge {
  readonly endToEndId: string;
  /** The ledger's decision; `null` when it was not notified, or has not answered in time. */
  readonly disposition: PaymentDisposition | null;
}

/** How long a payer waits for the ledger's decision. */
const DECISION_TIMEOUT_MS = 5_000;
const POLL_MS = 50;

/** Plays the payer's bank: books the payment, notifies the ledger, and waits for its decision. */
@Injectable()
export class PayerBank {
  readonly #logger = new Logger('Sandbox rail');

  constructor(
    private readonly paymentsIn: PaymentsIn,
    private readonly notifier: SandboxNotifier,
    private readonly tasks: Tasks,
    private readonly behaviour: SandboxBehaviour,
  ) {}

  /** @param txid `null` for a payment to the key alone */
  async pay(txid: string | null, amount: bigint, payer: RailParty): Promise<PaidCharge> {
    const { payment, task } = await this.paymentsIn.book(txid, amount, payer);
    const { endToEndId } = payment;
    let disposition: PaymentDisposition | undefined;
    try {
      disposition = await this.notifier.notify('PaymentIn', endToEndId, (inbox) => inbox.paymentReceived(payment));
      if (disposition) await this.paymentsIn.dispose(endToEndId, disposition);
      await this.tasks.remove(task);
    } catch (error) {
      // The money has moved: a task repeats the notification, and the payer waits.
      this.#logger.warn({ err: error, endToEndId }, 'the ledger could not be notified of a payment');
    }
    return { endToEndId, disposition: disposition ?? (await this.#wait(endToEndId)) };
  }

  async #wait(endToEndId: string): Promise<PaymentDisposition | null> {
    const deadline = Date.now() + DECISION_TIMEOUT_MS;
    while ((await this.behaviour.get()).notifications === 'deliver' && Date.now() < deadline) {
      const disposition = await this.paymentsIn.dispositionOf(endToEndId);
      if (disposition) return disposition;
      await new Promise((resume) => setTimeout(resume, POLL_MS));
    }
    return null;
  }
}

/** Without the ledger's decision the money has left the payer and was not returned: for the payer it is settled. */
export function outcomeForPayer({ disposition }: PaidCharge): PaidOutcome {
  return disposition === 'Returned' ? 'Returned' : 'Settled';
}
