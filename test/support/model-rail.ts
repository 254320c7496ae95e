import { randomBytes } from 'node:crypto';
import { makeEndToEndId } from '../../src/pix/domain/values/end-to-end-id.js';
import type {
  Charge,
  ChargeClosing,
  ChargeCode,
  KeyLookup,
  PaymentInstruction,
  PaymentOutcome,
  PixRail,
  RailPage,
  Received,
  ReceivedPayment,
  RefundInstruction,
  RefundOutcome,
  ReturnedMoney,
} from '../../src/pix/rails/pix-rail.js';
import { RailUnavailable } from '../../src/pix/rails/rail-errors.js';
import type { RailNotifications } from '../../src/pix/rails/rail-notifications.js';
import type { PixKey } from '../../src/pix/domain/values/pix-key.js';
import { PAYER } from './pix-given.js';

/** The fault of the next call: it never arrives, its answer is lost, or the caller dies at that moment. */
export type RailFault = 'none' | 'request lost' | 'answer lost' | 'crash';
export class Crash extends Error {}

export type Notification = (inbox: RailNotifications) => Promise<unknown>;

const UNKNOWN_KEY = 'nobody@example.com';
const foreign = (prefix: 'E' | 'D') =>
  makeEndToEndId({ prefix, ispb: '99999008', at: new Date(), partition: 0, random: randomBytes(8) });

/** The simplest rail that keeps the port's contract, with every fault that it allows. Its books are the truth. */
export class ModelRail implements PixRail {
  readonly name = 'model';
  readonly capabilities = { sends: true, identifiesPayer: 'ByAccount' } as const;
  readonly sent = new Map<string, { readonly instruction: string; amount: bigint; outcome: PaymentOutcome }>();
  readonly charges = new Map<string, { readonly amount: bigint; open: boolean; payment?: ReceivedPayment }>();
  readonly payments: ReceivedPayment[] = [];
  readonly refunds = new Map<string, { readonly instruction: RefundInstruction; readonly outcome: RefundOutcome }>();
  readonly returns: ReturnedMoney[] = [];
  readonly notifications: Notification[] = [];
  fault: RailFault = 'none';

  /** Empty books, for another run. */
  forget(): void {
    for (const book of [this.sent, this.charges, this.refunds]) book.clear();
    for (const list of [this.payments, this.returns, this.notifications]) list.length = 0;
    this.fault = 'none';
  }

  lookUpKey(key: PixKey): Promise<KeyLookup> {
    return this.#call(() => (key.value === UNKNOWN_KEY ? { found: false } : { found: true, owner: {} }));
  }

  send(instruction: PaymentInstruction): Promise<PaymentOutcome> {
    return this.#call(() => {
      const { paymentId, amount } = instruction;
      const text = JSON.stringify(instruction, (_name, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
      const known = this.sent.get(paymentId);
      if (known && known.instruction !== text) throw new Error(`another instruction under ${paymentId}`);
      if (!known) this.sent.set(paymentId, { instruction: text, amount, outcome: { status: 'Pending' } });
      return this.sent.get(paymentId)!.outcome;
    });
  }

  query(endToEndId: string): Promise<PaymentOutcome> {
    return this.#call(() => this.sent.get(endToEndId)?.outcome ?? { status: 'Unknown' });
  }

  createCharge({ txid, amount }: Pick<Charge, 'txid' | 'amount'>): Promise<ChargeCode> {
    this.charges.set(txid, { amount, open: true });
    return Promise.resolve({ location: `pix.example/${txid}` });
  }

  cancelCharge(txid: string): Promise<ChargeClosing> {
    return this.#call(() => {
      const charge = this.charges.get(txid)!;
      if (charge.payment) return { status: 'Paid', payment: charge.payment };
      charge.open = false;
      return { status: 'Cancelled' };
    });
  }

  refund(instruction: RefundInstruction): Promise<RefundOutcome> {
    return this.#call(() => {
      const refused = instruction.code === 'MD06' && instruction.amount % 5n === 0n;
      const outcome: RefundOutcome = refused
        ? { status: 'Rejected', at: new Date(), code: 'AM09' }
        : { status: 'Settled', at: new Date() };
      const known = this.refunds.get(instruction.returnId);
      if (known) return known.outcome;
      this.refunds.set(instruction.returnId, { instruction, outcome });
      this.notifications.push((inbox) => inbox.refundChanged(instruction.returnId, outcome));
      return outcome;
    });
  }

  queryRefund({ returnId }: Pick<RefundInstruction, 'returnId'>): Promise<RefundOutcome> {
    return this.#call(() => this.refunds.get(returnId)?.outcome ?? { status: 'Unknown' });
  }

  async receivedBetween(): Promise<RailPage<Received>> {
    const payments = this.payments.map((payment) => ({ kind: 'Payment' as const, payment }));
    const returns = this.returns.map((returned) => ({ kind: 'ReturnedMoney' as const, returned }));
    return { items: [...payments, ...returns], nextCursor: null };
  }

  async movementsBetween() {
    return { items: [], nextCursor: null };
  }

  /** Ends a pending payment. One that has ended stays. */
  end(endToEndId: string, status: 'Settled' | 'Rejected' | 'Returned'): void {
    const payment = this.sent.get(endToEndId)!;
    if (payment.outcome.status !== 'Pending') return;
    const outcome: PaymentOutcome =
      status === 'Settled'
        ? { status, at: new Date() }
        : { status, at: new Date(), code: status === 'Rejected' ? 'AC07' : 'BE08' };
    payment.outcome = outcome;
    this.notifications.push((inbox) => inbox.cashOutChanged(endToEndId, outcome));
  }

  /** A charge is paid, or paid again: the money arrives whatever the charge's state. */
  pay(txid: string, amount: bigint): void {
    const payment: ReceivedPayment = { endToEndId: foreign('E'), txid, amount, at: new Date(), payer: PAYER };
    const charge = this.charges.get(txid);
    if (charge?.open && !charge.payment) charge.payment = payment;
    this.payments.push(payment);
    this.notifications.push((inbox) => inbox.paymentReceived(payment));
  }

  /** The payee's bank returns a part of a settled payment. */
  sendBack(endToEndId: string): void {
    const payment = this.sent.get(endToEndId)!;
    const before = this.returns.filter((one) => one.endToEndId === endToEndId);
    const left = payment.amount - before.reduce((sum, { amount }) => sum + amount, 0n);
    if (payment.outcome.status !== 'Settled' || left === 0n) return;
    const returned = { returnId: foreign('D'), endToEndId, amount: (left + 1n) / 2n, at: new Date(), code: 'BE08' };
    this.returns.push(returned);
    this.notifications.push((inbox) => inbox.moneyReturned(returned));
  }

  async #call<T>(run: () => T): Promise<T> {
    const { fault } = this;
    this.fault = 'none';
    if (fault === 'request lost') throw new RailUnavailable('the request was lost');
    const result = run();
    // Others go on while a call is under way.
    await Promise.resolve();
    if (fault === 'answer lost') throw new RailUnavailable('the answer was lost');
    if (fault === 'crash') throw new Crash();
    return result;
  }
}

export { UNKNOWN_KEY };
