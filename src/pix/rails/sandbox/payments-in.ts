import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { MAX_PARTITIONS } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { makeEndToEndId } from '../../domain/values/end-to-end-id.js';
import type { RailParty, ReceivedPayment } from '../pix-rail.js';
import type { PaymentDisposition } from '../rail-notifications.js';
import { PartyBox } from './party-box.js';
import { ACCOUNT_BEHIND_KEYS } from './script.js';
import { newTask, planTasks, taskColumns } from './tasks.js';

/** When a task notifies the ledger, unless the bank has done so before. */
const RENOTIFY_MS = 2_000;

export const PAYMENT_IN_COLUMNS = 'end_to_end_id, txid, amount, at, payer';

/** An identifier of another bank: its last characters have no meaning here. */
export function foreignId(prefix: 'E' | 'D', ispb: string, at: Date): string {
  return makeEndToEndId({ prefix, ispb, at, partition: randomInt(MAX_PARTITIONS), random: randomBytes(8) });
}

/** Payments that came in, in the sandbox's books. */
@Injectable()
export class PaymentsIn {
  constructor(
    private readonly database: Database,
    private readonly box: PartyBox,
  ) {}

  /**
   * Books a payment, with a task that notifies the ledger if this process dies before. The first payment of an open
   * charge in time closes it; later ones are booked too, as at a real bank.
   * @returns the payment, and the task to remove once the ledger was notified
   */
  async book(
    txid: string | null,
    amount: bigint,
    payer: RailParty,
  ): Promise<{ payment: ReceivedPayment; task: string }> {
    return this.#book(foreignId('E', payer.ispb, new Date()), txid, amount, payer);
  }

  /**
   * Books the receiving side of a payment that the service itself sent, once, however often it is called; a repetition
   * keeps its time.
   * @param paidBy EndToEndId of the payment as it was sent
   */
  bookOwn(paidBy: string, txid: string, amount: bigint, payer: RailParty) {
    // Payer and payee share these books, in which an identifier is unique.
    return this.#book(`E${ACCOUNT_BEHIND_KEYS.ispb}${paidBy.slice(9)}`, txid, amount, payer, paidBy);
  }

  async #book(endToEndId: string, txid: string | null, amount: bigint, payer: RailParty, paidBy?: string) {
    const at = new Date();
    const task = newTask({ kind: 'Tell', payload: { news: 'PaymentIn' } }, endToEndId, new Date(+at + RENOTIFY_MS));
    const [booked] = await this.database.query<{ at: Date }>({
      name: 'sandbox-payment-book',
      text: `
        with closed as (
          update sandbox.charge set status = 'Paid', paid_by = $1
          where txid = $2 and status = 'Open' and expires_at > $5
            and not exists (select from sandbox.payment_in where end_to_end_id = $1)),
        planned as (${planTasks(6)})
        insert into sandbox.payment_in as p (end_to_end_id, txid, amount, payer, at, paid_by)
        values ($1, $2, $3, $4, $5, $11)
        on conflict (end_to_end_id) do update set at = p.at
        returning at`,
      values: [endToEndId, txid, amount, this.box.seal(endToEndId, payer), at, ...taskColumns([task]), paidBy],
    });
    return { payment: { endToEndId, txid, amount, at: booked!.at, payer }, task: task.id };
  }

  /** Stores the ledger's decision on a payment. */
  async dispose(endToEndId: string, disposition: PaymentDisposition): Promise<void> {
    await this.database.query({
      name: 'sandbox-payment-dispose',
      text: 'update sandbox.payment_in set disposition = $2 where end_to_end_id = $1',
      values: [endToEndId, disposition],
    });
  }

  /** The ledger's decision on a payment; `null` before it answered. */
  async dispositionOf(endToEndId: string): Promise<PaymentDisposition | null> {
    const [row] = await this.database.query<{ disposition: PaymentDisposition | null }>({
      name: 'sandbox-payment-disposition',
      text: 'select disposition from sandbox.payment_in where end_to_end_id = $1',
      values: [endToEndId],
    });
    return row?.disposition ?? null;
  }

  async find(endToEndId: string): Promise<ReceivedPayment | undefined> {
    const [row] = await this.database.query({
      name: 'sandbox-payment-in',
      text: `select ${PAYMENT_IN_COLUMNS} from sandbox.payment_in where end_to_end_id = $1`,
      values: [endToEndId],
    });
    return row && this.parse(row);
  }

  parse(row: QueryResultRow): ReceivedPayment {
    const endToEndId = row.end_to_end_id as string;
    return {
      endToEndId,
      txid: row.txid as string | null,
      amount: BigInt(row.amount as string),
      at: row.at as Date,
      payer: this.box.open<RailParty>(endToEndId, row.payer as Buffer),
    };
  }
}
