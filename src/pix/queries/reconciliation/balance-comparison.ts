import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { BalanceRead } from '../../domain/events/index.js';

/**
 * The expected balance at the rail. The account may hold money of other sources, so changes are compared: the previous
 * balance, plus the ledger's movements since (those of `pix-settlement`, and unmatched payments), less the rail's fees.
 * A second payment of a charge has no fee that was told.
 */
@Injectable()
export class BalanceComparison {
  constructor(private readonly database: Database) {}

  /** @returns centavos */
  async expected(before: BalanceRead, at: Date): Promise<bigint> {
    const [row] = await this.database.query<{ change: string }>({
      name: 'pix-balance-change',
      text: `
        select coalesce(sum(
          case when m.kind in ('PaymentIn', 'RefundIn') then m.amount else -m.amount end
            - case when m.kind in ('PaymentIn', 'PaymentOut') then coalesce((t.details ->> 'feeTold')::bigint, 0) else 0 end
        ), 0) as change
        from log_head h
        join pix_movement m on m.partition = h.partition and m.at > $1 and m.at <= $2
        left join transaction t on t.partition = m.partition and t.id = m.transaction_id
          and (m.kind <> 'PaymentIn' or m.rail_id = t.end_to_end_id)`,
      values: [new Date(before.at), at],
    });
    return BigInt(before.amount) + BigInt(row!.change);
  }
}
