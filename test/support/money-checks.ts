import { expect } from '@jest/globals';
import { Registry } from '../../src/accounts/index.js';
import { blockedBy } from '../../src/accounts/domain/hold.js';
import { holdTable } from '../../src/accounts/hold.projection.js';
import type { Principal } from '../../src/auth/index.js';
import { infractionTable } from '../../src/med/infraction.projection.js';
import { recoveryTable } from '../../src/med/recovery.projection.js';
import type { MoneyModel } from './money-model.js';
import type { PlayedApplication } from './mortal-application.js';

/** What the rail says of the end of a payment, as the service says it. */
export const ENDED = { Settled: 'Completed', Rejected: 'Error', Returned: 'Reversed' } as const;

/** Holds the service, its log and the rail against the model of one partner's accounts. */
export class MoneyChecks {
  /** @param from position in the log after which the partner's events stand */
  constructor(
    private readonly played: PlayedApplication,
    private readonly model: MoneyModel,
    private readonly callers: readonly Principal[],
    private readonly from: bigint,
  ) {}

  /** The service has what the model has; nothing went back twice, nor more than was held or came in. */
  async assertAsModelled(): Promise<void> {
    const { model } = this;
    await Promise.all([this.#assertBalances(), this.#assertHolds(), this.#assertCases(), this.#assertRail()]);
    for (const { hold, returned, pending } of model.cases) expect(returned + pending <= hold.filled).toBe(true);
    for (const { payout, amount } of model.recoveries) expect(amount <= payout.amount).toBe(true);
  }

  async #assertBalances(): Promise<void> {
    const posted = await this.played.owner.query<{ account: string; bucket: string; sum: string }>(
      `select p->>'account' as account, p->>'bucket' as bucket, sum((p->>'amount')::bigint)
       from event e, json_array_elements(e.data->'postings') p
       where e.partition = $1 and e.position > $2 and e.data->'postings' is not null group by 1, 2`,
      [this.callers[0]!.partition, this.from],
    );
    for (const [i, { accountUid }] of this.callers.entries()) {
      const { available, held, holds } = this.model.accounts[i]!;
      const blocked = holds.reduce((sum, hold) => sum + hold.blocked, 0n);
      const expected = { available, held, blocked };
      const live = await this.played.app.get(Registry, { strict: false }).account(accountUid);
      expect({ available: live.available, held: live.held, blocked: live.blocked }).toEqual(expected);
      const sumOf = (bucket: string) =>
        BigInt(posted.find((one) => one.account === accountUid && one.bucket === bucket)?.sum ?? 0);
      const sums = { available: sumOf('available'), held: sumOf('held'), blocked: sumOf('blocked') };
      expect(sums).toEqual(expected);
      const waiting = holds.filter((hold) => this.model.waits(hold, Date.now())).map(({ id }) => id);
      expect((live.filling ?? []).map(({ id }) => id)).toEqual(expect.arrayContaining(waiting));
    }
  }

  async #assertHolds(): Promise<void> {
    const rows = await this.#rows(holdTable.columns, 'hold', holdTable.parse);
    const shown = rows.map((hold) => [hold.id, hold.filled, blockedBy(hold), hold.status]);
    const holds = this.model.accounts.flatMap((account) => account.holds);
    const expected = holds.map((hold) => [hold.id, hold.filled, hold.blocked, hold.closed ? 'Closed' : 'Open']);
    expect(shown.sort(byId)).toEqual(expected.sort(byId));
    for (const { filled, amount } of rows) expect(filled <= amount).toBe(true);
  }

  async #assertCases(): Promise<void> {
    const cases = await this.#rows(infractionTable.columns, 'infraction', infractionTable.parse);
    const shown = cases.map(({ id, status, amount, agreed, returned, pending }) => [
      ...[id, status, amount],
      ...[agreed, returned, pending],
    ]);
    const expected = this.model.cases.map(({ id, status, amount, agreed, returned, pending }) => [
      ...[id, status, amount],
      ...[agreed, returned, pending],
    ]);
    expect(shown.sort(byId)).toEqual(expected.sort(byId));
    const recoveries = await this.#rows(recoveryTable.columns, 'recovery', recoveryTable.parse);
    expect(recoveries.map(({ id, status, amount }) => [id, status, amount]).sort(byId)).toEqual(
      this.model.recoveries.map(({ id, status, amount }) => [id, status, amount]).sort(byId),
    );
  }

  /** What the rail has given back of each deposit is never more than the service knows. */
  async #assertRail(): Promise<void> {
    const back = await this.#givenBack();
    for (const { endToEndId, amount, refunded, back: known } of this.model.deposits) {
      const sum = back.get(endToEndId) ?? 0n;
      expect(known <= sum && sum <= refunded && refunded <= amount).toBe(true);
    }
  }

  /** Nothing is under way: the rail's books and the model say the same. */
  async assertSettled(): Promise<void> {
    const back = await this.#givenBack();
    for (const { endToEndId, refunded } of this.model.deposits) expect(back.get(endToEndId) ?? 0n).toBe(refunded);
    const rows = await this.played.owner.query<{ id: string; status: keyof typeof ENDED }>(
      `select t.id, p.status from sandbox.payment_out p join transaction t on t.end_to_end_id = p.end_to_end_id
       where t.account_uid = any($1::uuid[])`,
      [this.callers.map(({ accountUid }) => accountUid)],
    );
    const paid = rows.map(({ id, status }) => [id, ENDED[status]]);
    expect(paid.sort(byId)).toEqual(this.model.payouts.map(({ id, state }) => [id, state]).sort(byId));
  }

  async #givenBack(): Promise<Map<string, bigint>> {
    const rows = await this.played.owner.query<{ id: string; sum: string | null }>(
      `select end_to_end_id as id, sum(amount) filter (where status = 'Settled') from sandbox.refund_out
       where end_to_end_id = any($1::text[]) group by end_to_end_id`,
      [this.model.deposits.map(({ endToEndId }) => endToEndId)],
    );
    return new Map(rows.map(({ id, sum }) => [id, BigInt(sum ?? 0)]));
  }

  async #rows<Row>(columns: string, table: string, parse: (row: any) => Row): Promise<Row[]> {
    const uids = this.callers.map(({ accountUid }) => accountUid);
    const rows = await this.played.running.database.query({
      name: `${table}-of-money-test`,
      text: `select ${columns} from ${table} where partition = $1 and account_uid = any($2::uuid[])`,
      values: [this.callers[0]!.partition, uids],
    });
    return rows.map(parse);
  }
}

const byId = (one: readonly unknown[], other: readonly unknown[]) => (String(one[0]) < String(other[0]) ? -1 : 1);
