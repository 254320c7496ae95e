import { Injectable } from '@nestjs/common';
import type { Statement } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import type { RefundInstruction, RefundOutcome, ReturnedMoney } from '../pix-rail.js';
import { foreignId } from './payments-in.js';
import { ACCOUNT_BEHIND_KEYS, FORCED } from './script.js';
import { newTask, planTasks, taskColumns, Tasks } from './tasks.js';

/** ISO 20022: the amount cannot be refunded. */
const WRONG_AMOUNT = 'AM02';
/** Requested by the payee. */
const REQUESTED = 'MD06';
/** Of what goes back of a charge of the service's own: `MD06` is the script's, once a payment. */
const BY_BANK = 'BE08';
/** Decisions 10: the payee's bank sends money back one second later. */
const SENT_BACK_AFTER_MS = 1_000;

interface Row {
  status: 'Pending' | 'Settled' | 'Rejected';
  code: string | null;
  at: Date | null;
}

/** Refunds in both directions, in the sandbox's books. */
@Injectable()
export class Refunds {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
  ) {}

  /**
   * Refunds a payment, once for a return identifier, and never more than was paid.
   * @param held it stays pending until it is forced
   */
  async refund(instruction: RefundInstruction, held: boolean): Promise<RefundOutcome> {
    const { returnId, endToEndId, amount } = instruction;
    return this.database.transaction(async (client) => {
      // The payment's row is the lock: of two refunds at once, the second one sees the first.
      const paid = await client.query<{ amount: string; paid_by: string | null }>({
        name: 'sandbox-refund-lock',
        text: 'select amount, paid_by from sandbox.payment_in where end_to_end_id = $1 for update',
        values: [endToEndId],
      });
      const before = await client.query<Row & { return_id: string; amount: string }>({
        name: 'sandbox-refund-before',
        text: 'select return_id, amount, status, code, at from sandbox.refund_out where end_to_end_id = $1',
        values: [endToEndId],
      });
      const same = before.rows.find((row) => row.return_id === returnId);
      if (same) return outcomeOf(same);
      const given = before.rows.filter(({ status }) => status !== 'Rejected');
      const left = given.reduce((rest, row) => rest - BigInt(row.amount), BigInt(paid.rows[0]?.amount ?? '0'));
      const row: Row =
        amount > left
          ? { status: 'Rejected', code: WRONG_AMOUNT, at: new Date() }
          : held
            ? { status: 'Pending', code: null, at: null }
            : { status: 'Settled', code: null, at: new Date() };
      await client.query({
        name: 'sandbox-refund-insert',
        text: `
          insert into sandbox.refund_out (return_id, end_to_end_id, amount, status, code, at)
          values ($1, $2, $3, $4, $5, $6)`,
        values: [returnId, endToEndId, amount, row.status, row.code, row.at],
      });
      const paidBy = paid.rows[0]?.paid_by;
      if (row.status === 'Settled' && paidBy) await this.#planReturn(client, paidBy, amount, BY_BANK, row.at!);
      return outcomeOf(row);
    });
  }

  async find(returnId: string): Promise<RefundOutcome> {
    const [row] = await this.database.query<Row & { [column: string]: unknown }>({
      name: 'sandbox-refund-load',
      text: 'select status, code, at from sandbox.refund_out where return_id = $1',
      values: [returnId],
    });
    return row ? outcomeOf(row) : { status: 'Unknown' };
  }

  /** Ends a refund that is held. @returns whether it was pending */
  async end(returnId: string, force: 'complete' | 'fail'): Promise<boolean> {
    const ending = FORCED[force];
    const at = new Date();
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ amount: string; paid_by: string | null }>({
        name: 'sandbox-refund-end',
        text: `
          update sandbox.refund_out r set status = $2, code = $3, at = $4 from sandbox.payment_in p
          where r.return_id = $1 and r.status = 'Pending' and p.end_to_end_id = r.end_to_end_id
          returning r.amount, p.paid_by`,
        values: [returnId, ending.status, 'code' in ending ? ending.code : null, at],
      });
      const [ended] = rows;
      const paidBy = ending.status === 'Settled' && ended?.paid_by;
      if (paidBy) await this.#planReturn(client, paidBy, BigInt(ended.amount), BY_BANK, at);
      return ended !== undefined;
    });
  }

  /** Plans that the payee's bank returns money of a settled payment a second later, once. */
  async planReturn(endToEndId: string, amount: bigint, settledAt: Date): Promise<void> {
    await this.#planReturn(this.database, endToEndId, amount, REQUESTED, settledAt);
  }

  /** Unless the script has money of the payment come back already. */
  async #planReturn(
    client: { query(statement: Statement): Promise<unknown> },
    endToEndId: string,
    amount: bigint,
    code: string,
    settledAt: Date,
  ): Promise<void> {
    const due = new Date(settledAt.getTime() + SENT_BACK_AFTER_MS);
    const returnId = foreignId('D', ACCOUNT_BEHIND_KEYS.ispb, due);
    await client.query({
      name: 'sandbox-return-plan',
      text: `
        with made as (
          insert into sandbox.refund_in (return_id, end_to_end_id, amount, code)
          select $1, $2, $3::bigint, $4
          where not exists (select from sandbox.refund_in where end_to_end_id = $2 and code = '${REQUESTED}')
          on conflict (end_to_end_id) where code = '${REQUESTED}' do nothing
          returning return_id)
        ${planTasks(5)}
        join made on made.return_id = n.subject`,
      values: [
        returnId,
        endToEndId,
        amount,
        code,
        ...taskColumns([newTask({ kind: 'SendBack', payload: {} }, returnId, due)]),
      ],
    });
    this.tasks.expect(due);
  }

  /** Carries out the planned return; a repetition keeps its time. */
  async sendBack(returnId: string): Promise<ReturnedMoney> {
    const [row] = await this.database.query({
      name: 'sandbox-return-send',
      text: `
        update sandbox.refund_in set at = coalesce(at, $2) where return_id = $1
        returning return_id, end_to_end_id, amount, at, code`,
      values: [returnId, new Date()],
    });
    return parseReturnedMoney(row!);
  }
}

export function parseReturnedMoney(row: Record<string, unknown>): ReturnedMoney {
  return {
    returnId: row.return_id as string,
    endToEndId: row.end_to_end_id as string,
    amount: BigInt(row.amount as string),
    at: row.at as Date,
    code: row.code as string,
  };
}

function outcomeOf({ status, code, at }: Row): RefundOutcome {
  switch (status) {
    case 'Pending':
      return { status };
    case 'Settled':
      return { status, at: at! };
    case 'Rejected':
      return { status, at: at!, code: code! };
  }
}
