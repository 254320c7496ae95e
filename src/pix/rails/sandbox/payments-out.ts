import { Injectable } from '@nestjs/common';
import { Coalesced, Database } from '../../../platform/database/index.js';
import { parseBrCode } from '../../domain/values/br-code.js';
import type { PaymentInstruction, PaymentOutcome, RailParty } from '../pix-rail.js';
import { PartyBox } from './party-box.js';
import { ACCOUNT_BEHIND_KEYS, type Ending, endingOf } from './script.js';
import { type ChargePaid, newTask, type NewTask, planTasks, taskColumns, Tasks, WHEN_FORCED } from './tasks.js';

/** How long a payment takes, milliseconds: decisions 10 give about 100 from the request to the end. */
const SETTLING_MS = 30;

interface Row {
  end_to_end_id: string;
  status: 'Pending' | 'Settled' | 'Rejected' | 'Returned';
  code: string | null;
  at: Date | null;
  payee: Buffer;
}

/** The result of an attempt to end a payment: its outcome, and whether this attempt ended it. */
export interface EndedPayment {
  readonly outcome: PaymentOutcome;
  readonly moved: boolean;
}

interface EndOrder {
  readonly endToEndId: string;
  readonly ending: Ending;
  readonly at: Date;
}

/** Payments that the service sent, in the sandbox's books. */
@Injectable()
export class PaymentsOut {
  readonly #send = new Coalesced<PaymentInstruction, PaymentOutcome>((instructions) => this.#insert(instructions));
  readonly #end = new Coalesced<EndOrder, EndedPayment>((orders) => this.#update(orders));
  readonly #find = new Coalesced<string, PaymentOutcome>((ids) => this.#load(ids));

  constructor(
    private readonly database: Database,
    private readonly box: PartyBox,
    private readonly tasks: Tasks,
  ) {}

  /** Books a payment, once for its EndToEndId, with the task that ends it. @returns its state */
  send(instruction: PaymentInstruction): Promise<PaymentOutcome> {
    return this.#send.run(instruction);
  }

  /** Ends a pending payment; one that has ended stays as it is. */
  end(endToEndId: string, ending: Ending, at: Date): Promise<EndedPayment> {
    return this.#end.run({ endToEndId, ending, at });
  }

  find(endToEndId: string): Promise<PaymentOutcome> {
    return this.#find.run(endToEndId);
  }

  async #insert(instructions: readonly PaymentInstruction[]): Promise<PaymentOutcome[]> {
    const due = new Date(Date.now() + SETTLING_MS);
    const tasks = instructions.flatMap(
      (instruction) => settleTask(instruction, due, this.#chargeOf(instruction)) ?? [],
    );
    const known = await this.database.query<Row>({
      name: 'sandbox-payment-send',
      text: `
        with made as (
          insert into sandbox.payment_out (end_to_end_id, amount, payee, status)
          select n.id, n.amount, n.payee, 'Pending'
          from unnest($1::text[], $2::bigint[], $3::bytea[]) as n (id, amount, payee)
          on conflict (end_to_end_id) do nothing
          returning end_to_end_id),
        planned as (${planTasks(4)}
          join made on made.end_to_end_id = n.subject)
        select end_to_end_id, status, code, at, payee
        from sandbox.payment_out where end_to_end_id = any($1)`,
      values: [
        instructions.map(({ paymentId }) => paymentId),
        instructions.map(({ amount }) => amount),
        instructions.map(({ paymentId, key, payee }) =>
          this.box.seal(paymentId, key && !payee.number ? { ...ACCOUNT_BEHIND_KEYS, ...payee } : payee),
        ),
        ...taskColumns(tasks),
      ],
    });
    this.tasks.expect(due);
    // The statement's snapshot was taken before it: a payment that it does not find was inserted by it.
    const rows = new Map(known.map((row) => [row.end_to_end_id, row]));
    return instructions.map(({ paymentId }) => {
      const row = rows.get(paymentId);
      return row ? this.#outcome(row) : { status: 'Pending' };
    });
  }

  /** The charge of a dynamic code; whether it is one of this service shows when it is paid. */
  #chargeOf({ paymentId, amount, qrCode, payer }: PaymentInstruction): ChargePaid | undefined {
    const code = qrCode === undefined ? undefined : parseBrCode(qrCode);
    if (code?.kind !== 'Dynamic') return undefined;
    const sealed = this.box.seal(paymentId, payer).toString('base64');
    return { location: code.location, amount: amount.toString(), payer: sealed };
  }

  async #update(orders: readonly EndOrder[]): Promise<EndedPayment[]> {
    const now = new Date();
    const moved = await this.database.query<{ end_to_end_id: string; held: boolean }>({
      name: 'sandbox-payment-end',
      text: `
        with moved as (
          update sandbox.payment_out p set status = n.status, code = n.code, at = n.at
          from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as n (id, status, code, at)
          where p.end_to_end_id = n.id and p.status = 'Pending'
          returning p.end_to_end_id),
        held as (
          update sandbox.task t set due_at = $5 from moved
          where t.due_at = $6 and t.subject = moved.end_to_end_id
          returning t.subject)
        select end_to_end_id, end_to_end_id in (select subject from held) as held from moved`,
      values: [
        orders.map(({ endToEndId }) => endToEndId),
        orders.map(({ ending }) => ending.status),
        orders.map(({ ending }) => ('code' in ending ? ending.code : null)),
        orders.map(({ at }) => at),
        now,
        WHEN_FORCED,
      ],
    });
    if (moved.some(({ held }) => held)) this.tasks.expect(now);
    const ids = new Set(moved.map((row) => row.end_to_end_id));
    const outcomes = await this.#load(orders.map((one) => one.endToEndId));
    // Of two orders for one payment in a batch, the first one ended it.
    return orders.map(({ endToEndId }, i) => ({ outcome: outcomes[i]!, moved: ids.delete(endToEndId) }));
  }

  /** @returns an outcome for each, in their order */
  async #load(ids: readonly string[]): Promise<PaymentOutcome[]> {
    const found = await this.database.query<Row>({
      name: 'sandbox-payment-load',
      text: 'select end_to_end_id, status, code, at, payee from sandbox.payment_out where end_to_end_id = any($1)',
      values: [ids],
    });
    const rows = new Map(found.map((row) => [row.end_to_end_id, row]));
    return ids.map((id) => {
      const row = rows.get(id);
      return row ? this.#outcome(row) : { status: 'Unknown' };
    });
  }

  #outcome({ end_to_end_id: id, status, code, at, payee }: Row): PaymentOutcome {
    switch (status) {
      case 'Pending':
        return { status };
      case 'Settled':
        return { status, at: at!, payee: this.box.open<Partial<RailParty>>(id, payee) };
      case 'Rejected':
      case 'Returned':
        return { status, at: at!, code: code! };
    }
  }
}

function settleTask({ paymentId, amount }: PaymentInstruction, due: Date, charge?: ChargePaid): NewTask | undefined {
  const ending = endingOf(amount);
  if (!ending) {
    // Forced to settle, it still pays its charge.
    return charge && newTask({ kind: 'Settle', payload: { status: 'Settled', charge } }, paymentId, WHEN_FORCED);
  }
  const { status } = ending;
  const payload =
    ending.status === 'Settled'
      ? { status, sentBack: ending.sentBack?.toString(), charge }
      : { status, code: ending.code };
  return newTask({ kind: 'Settle', payload }, paymentId, due);
}
