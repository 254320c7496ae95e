import { Injectable } from '@nestjs/common';
import { Coalesced, Database } from '../../../platform/database/index.js';
import type { Charge } from '../pix-rail.js';

/** State of a charge at the sandbox. `Closed`: cancelled by its owner. */
export type ChargeStatus = 'Open' | 'Closed' | 'Paid' | 'Rejected' | 'Returned';

/** A charge as the payer's bank finds it. */
export interface KnownCharge {
  readonly txid: string;
  /** Centavos. */
  readonly amount: bigint;
}

/** The sandbox's charges. */
@Injectable()
export class Charges {
  readonly #create = new Coalesced<Charge, void>((charges) => this.#insert(charges));

  constructor(private readonly database: Database) {}

  /** Creates a charge, once; one that was closed before it was created stays closed. */
  create(charge: Charge): Promise<void> {
    return this.#create.run(charge);
  }

  async #insert(charges: readonly Charge[]): Promise<void[]> {
    await this.database.query({
      name: 'sandbox-charge-create',
      text: `
        insert into sandbox.charge (txid, location, amount, expires_at, status)
        select n.txid, n.location, n.amount, n.expires_at, 'Open'
        from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) as n (txid, location, amount, expires_at)
        on conflict (txid) do nothing`,
      values: [
        charges.map(({ txid }) => txid),
        charges.map(({ location }) => location),
        charges.map(({ amount }) => amount),
        charges.map(({ expiresAt }) => expiresAt),
      ],
    });
    return charges.map(() => undefined);
  }

  /** The charge behind a payload location of ours. */
  async at(location: string): Promise<KnownCharge | undefined> {
    const txid = location.slice(location.lastIndexOf('/') + 1);
    const [row] = await this.database.query<{ amount: string }>({
      name: 'sandbox-charge-at',
      text: 'select amount from sandbox.charge where txid = $1 and location = $2',
      values: [txid, location],
    });
    return row && { txid, amount: BigInt(row.amount) };
  }

  /** Closes a charge that is open, or that was never created. @returns its state, and the payment that paid it */
  async close(txid: string): Promise<{ status: ChargeStatus; paidBy: string | null }> {
    const [row] = await this.database.query<{ status: ChargeStatus; paid_by: string | null }>({
      name: 'sandbox-charge-close',
      text: `
        insert into sandbox.charge as c (txid, status) values ($1, 'Closed')
        on conflict (txid) do update set status = case when c.status = 'Open' then 'Closed' else c.status end
        returning status, paid_by`,
      values: [txid],
    });
    return { status: row!.status, paidBy: row!.paid_by };
  }

  /** Ends an open charge as failed at the rail. @returns whether it is so, now or since an attempt before */
  async end(txid: string, status: 'Rejected' | 'Returned', code: string): Promise<boolean> {
    const rows = await this.database.query({
      name: 'sandbox-charge-end',
      text: `
        update sandbox.charge set status = $2, code = $3 where txid = $1 and status in ('Open', $2)
        returning txid`,
      values: [txid, status, code],
    });
    return rows.length > 0;
  }
}
