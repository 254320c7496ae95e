import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { QueryResultRow } from 'pg';
import { Database } from '../../../platform/database/index.js';
import type {
  FraudReason,
  InfractionDecision,
  InfractionState,
  RecoveryInstruction,
  RecoveryOutcome,
  ReportedInfraction,
} from '../infraction-rail.js';
import type { RailPage, ReturnedMoney } from '../pix-rail.js';
import { PartyBox } from './party-box.js';
import { foreignId } from './payments-in.js';
import { ACCOUNT_BEHIND_KEYS } from './script.js';

const PAGE = 500;
/** Returned for fraud (MED). */
const FRAUD = 'FR01';
const COLUMNS = 'id, end_to_end_id, amount, reason, details, status, reported_at, changed_at';

export interface NewInfraction {
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly reason: FraudReason;
  readonly details?: string;
}

export interface EndedRecovery {
  readonly outcome: RecoveryOutcome;
  /** A movement of its own. */
  readonly returned?: ReturnedMoney;
}

/** Reports and recoveries of funds, in the books of the sandbox: it plays the DICT and the other institutions. */
@Injectable()
export class Infractions {
  constructor(
    private readonly database: Database,
    private readonly box: PartyBox,
  ) {}

  /** The amount of a payment that came in; `undefined` for an unknown one. */
  async amountOf(endToEndId: string): Promise<bigint | undefined> {
    const [row] = await this.database.query<{ amount: string }>({
      name: 'sandbox-payment-amount',
      text: 'select amount from sandbox.payment_in where end_to_end_id = $1',
      values: [endToEndId],
    });
    return row && BigInt(row.amount);
  }

  async report({ endToEndId, amount, reason, details }: NewInfraction): Promise<ReportedInfraction> {
    const id = randomUUID();
    const [row] = await this.database.query({
      name: 'sandbox-infraction-report',
      text: `
        insert into sandbox.infraction (id, end_to_end_id, amount, reason, details, status, reported_at, changed_at)
        values ($1, $2, $3, $4, $5, 'Open', $6, $6) returning ${COLUMNS}`,
      values: [id, endToEndId, amount, reason, this.box.seal(id, { details }), new Date()],
    });
    return this.#parse(row!);
  }

  async find(id: string): Promise<ReportedInfraction | undefined> {
    if (!isUUID(id)) return undefined;
    const [row] = await this.database.query({
      name: 'sandbox-infraction-load',
      text: `select ${COLUMNS} from sandbox.infraction where id = $1`,
      values: [id],
    });
    return row && this.#parse(row);
  }

  /** Ends the analysis, or takes the report back. @returns the report; `undefined` where it was not open any more */
  async end(id: string, status: Exclude<InfractionState, 'Open'>): Promise<ReportedInfraction | undefined> {
    if (!isUUID(id)) return undefined;
    const from = status === 'Cancelled' ? ['Open', 'Agreed'] : ['Open'];
    const [row] = await this.database.query({
      name: 'sandbox-infraction-end',
      text: `
        update sandbox.infraction set status = $2, changed_at = $3 where id = $1 and status = any($4)
        returning ${COLUMNS}`,
      values: [id, status, new Date(), from],
    });
    return row && this.#parse(row);
  }

  /** The decision of the institution that received the payment. */
  async close(id: string, { result }: InfractionDecision): Promise<void> {
    await this.end(id, result);
  }

  async changedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<ReportedInfraction>> {
    const [at, id] = cursor?.split(' ') ?? [];
    const rows = await this.database.query({
      name: 'sandbox-infractions',
      text: `
        select ${COLUMNS} from sandbox.infraction
        where changed_at >= $1 and changed_at < $2 and (changed_at, id) > ($3::timestamptz, $4)
        order by changed_at, id limit $5`,
      values: [from, to, at ?? '-infinity', id ?? '', PAGE],
    });
    const last = rows.length === PAGE ? rows.at(-1)! : undefined;
    return {
      items: rows.map((row) => this.#parse(row)),
      nextCursor: last ? `${(last.changed_at as Date).toISOString()} ${last.id as string}` : null,
    };
  }

  /** Opens a recovery, once for its identifier. */
  async request({ recoveryId, endToEndId, amount, reason, details }: RecoveryInstruction): Promise<RecoveryOutcome> {
    await this.database.query({
      name: 'sandbox-recovery-request',
      text: `
        insert into sandbox.recovery (id, end_to_end_id, amount, details, status, changed_at)
        values ($1, $2, $3, $4, 'Pending', $5) on conflict (id) do nothing`,
      values: [recoveryId, endToEndId, amount, this.box.seal(recoveryId, { reason, details }), new Date()],
    });
    return (await this.recovery(recoveryId)) ?? { status: 'Unknown' };
  }

  async recovery(id: string): Promise<RecoveryOutcome | undefined> {
    const [row] = await this.database.query<RecoveryRow>({
      name: 'sandbox-recovery-load',
      text: 'select end_to_end_id, status, amount, accepted, code from sandbox.recovery where id = $1',
      values: [id],
    });
    return row && outcomeOf(row);
  }

  /**
   * Ends a recovery. Where the payee's institution agrees, it gives the money back with it, at once.
   * @returns `undefined` where none was pending
   */
  async endRecovery(
    id: string,
    ending: { readonly accepted?: bigint; readonly code?: string },
  ): Promise<EndedRecovery | undefined> {
    if (!isUUID(id)) return undefined;
    const at = new Date();
    const [row] = await this.database.query<RecoveryRow & { return_id: string | null }>({
      name: 'sandbox-recovery-end',
      text: `
        with ended as (
          update sandbox.recovery set status = $2, accepted = least(coalesce($3::bigint, amount), amount), code = $4,
            changed_at = $5
          where id = $1 and status = 'Pending' returning end_to_end_id, status, amount, accepted, code),
        given as (
          insert into sandbox.refund_in (return_id, end_to_end_id, amount, code, at)
          select $6, end_to_end_id, accepted, '${FRAUD}', $5 from ended where status = 'Accepted'
          returning return_id)
        select ended.*, given.return_id from ended left join given on true`,
      values: [
        id,
        ending.code ? 'Refused' : 'Accepted',
        ending.accepted ?? null,
        ending.code ?? null,
        at,
        foreignId('D', ACCOUNT_BEHIND_KEYS.ispb, at),
      ],
    });
    if (!row) return undefined;
    const { end_to_end_id: endToEndId, accepted, return_id: returnId } = row;
    const returned = returnId !== null && { returnId, endToEndId, amount: BigInt(accepted!), at, code: FRAUD };
    return { outcome: outcomeOf(row), ...(returned && { returned }) };
  }

  #parse(row: QueryResultRow): ReportedInfraction {
    const railId = row.id as string;
    const { details } = this.box.open<{ details?: string }>(railId, row.details as Buffer);
    return {
      railId,
      endToEndId: row.end_to_end_id as string,
      amount: BigInt(row.amount as string),
      reason: row.reason as FraudReason,
      ...(details && { details }),
      state: row.status as InfractionState,
      reportedAt: row.reported_at as Date,
    };
  }
}

interface RecoveryRow extends QueryResultRow {
  readonly end_to_end_id: string;
  readonly status: 'Pending' | 'Accepted' | 'Refused';
  readonly amount: string;
  readonly accepted: string | null;
  readonly code: string | null;
}

function outcomeOf({ status, accepted, code }: RecoveryRow): RecoveryOutcome {
  switch (status) {
    case 'Pending':
      return { status };
    case 'Accepted':
      return { status, amount: BigInt(accepted!) };
    case 'Refused':
      return { status, code: code! };
  }
}
