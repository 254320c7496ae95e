import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { RailMovement, RailPage, Received } from '../pix-rail.js';
import { PAYMENT_IN_COLUMNS, PaymentsIn } from './payments-in.js';
import { parseReturnedMoney } from './refunds.js';

const PAGE = 500;

/** The end of a page: time and identifier of its last item. */
interface Place {
  readonly at: Date;
  readonly id: string;
}

/** What happened at the sandbox in an interval, oldest first, by time and identifier. */
@Injectable()
export class History {
  constructor(
    private readonly database: Database,
    private readonly paymentsIn: PaymentsIn,
  ) {}

  async receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    const after = placeOf(cursor);
    const rows = await this.database.query({
      name: 'sandbox-received',
      text: `
        select * from (
          (select 'Payment' as kind, ${PAYMENT_IN_COLUMNS}, end_to_end_id as id, null::text as return_id, null::text as code
          from sandbox.payment_in
          where at >= $1 and at < $2 and (at, end_to_end_id) > ($3::timestamptz, $4)
          order by at, end_to_end_id limit $5)
          union all
          (select 'ReturnedMoney', end_to_end_id, null::text, amount, at, null::bytea, return_id, return_id, code
          from sandbox.refund_in
          where at >= $1 and at < $2 and (at, return_id) > ($3::timestamptz, $4)
          order by at, return_id limit $5)) as r
        order by at, id limit $5`,
      values: [from, to, after?.at ?? '-infinity', after?.id ?? '', PAGE],
    });
    return toPage(
      rows.map((row) => ({ at: row.at as Date, id: row.id as string })),
      rows.map((row) =>
        row.kind === 'Payment'
          ? { kind: 'Payment', payment: this.paymentsIn.parse(row) }
          : { kind: 'ReturnedMoney', returned: parseReturnedMoney(row) },
      ),
    );
  }

  async movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    const after = placeOf(cursor);
    const rows = await this.database.query({
      name: 'sandbox-movements',
      text: `
        select * from (
          (select 'PaymentIn' as kind, end_to_end_id as id, amount, at from sandbox.payment_in
          where at >= $1 and at < $2 and (at, end_to_end_id) > ($3::timestamptz, $4)
          order by at, end_to_end_id limit $5)
          union all
          (select 'PaymentOut', end_to_end_id, amount, at from sandbox.payment_out
          where status = 'Settled' and at >= $1 and at < $2 and (at, end_to_end_id) > ($3::timestamptz, $4)
          order by at, end_to_end_id limit $5)
          union all
          (select 'RefundOut', return_id, amount, at from sandbox.refund_out
          where status = 'Settled' and at >= $1 and at < $2 and (at, return_id) > ($3::timestamptz, $4)
          order by at, return_id limit $5)
          union all
          (select 'RefundIn', return_id, amount, at from sandbox.refund_in
          where at >= $1 and at < $2 and (at, return_id) > ($3::timestamptz, $4)
          order by at, return_id limit $5)) as m
        order by at, id limit $5`,
      values: [from, to, after?.at ?? '-infinity', after?.id ?? '', PAGE],
    });
    const movements = rows.map((row) => ({
      kind: row.kind as RailMovement['kind'],
      id: row.id as string,
      amount: BigInt(row.amount as string),
      at: row.at as Date,
    }));
    return toPage(movements, movements);
  }
}

function toPage<T>(places: readonly Place[], items: readonly T[]): RailPage<T> {
  const last = places.length === PAGE ? places.at(-1) : undefined;
  return { items, nextCursor: last ? `${last.at.toISOString()} ${last.id}` : null };
}

function placeOf(cursor: string | null): Place | undefined {
  const [at = '', id = ''] = cursor?.split(' ') ?? [];
  return cursor === null ? undefined : { at: new Date(at), id };
}
