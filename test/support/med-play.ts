import { expect } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { CreditAccount, OpenAccount, RegisterPartner, Registry } from '../../src/accounts/index.js';
import { blockedBy, type Hold } from '../../src/accounts/domain/hold.js';
import { holdTable } from '../../src/accounts/hold.projection.js';
import type { Principal } from '../../src/auth/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { DecideInfraction } from '../../src/med/index.js';
import { Cases } from '../../src/med/cases.js';
import type { Infraction } from '../../src/med/domain/infraction.js';
import { CaseWorker } from '../../src/med/workers/case.worker.js';
import { RefundCashIn } from '../../src/pix/commands/refund-cash-in/refund-cash-in.command.js';
import { RequestCashIn } from '../../src/pix/commands/request-cash-in/request-cash-in.command.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { InfractionInbox, PixTransactions } from '../../src/pix/index.js';
import { Infractions } from '../../src/pix/rails/sandbox/infractions.js';
import { PayerBank } from '../../src/pix/rails/sandbox/payer-bank.js';
import { Refunds } from '../../src/pix/rails/sandbox/refunds.js';
import { SendRefundWorker } from '../../src/pix/workers/send-refund.worker.js';
import { AppError } from '../../src/platform/errors/index.js';
import { RequestTransfer } from '../../src/transfers/commands/request-transfer/request-transfer.command.js';
import { nextCnpj } from './api.js';
import type { InProcessOwning } from './in-process.js';
import { DAY_MS, type ModelCase, MedModel } from './med-model.js';
import { PAYER } from './pix-given.js';

const ACTOR = 'operator:test';

export type MedStep =
  | { readonly kind: 'deposit' | 'credit' | 'spend'; readonly amount: bigint }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'refund'; readonly nth: number; readonly amount: bigint }
  | { readonly kind: 'report'; readonly nth: number; readonly amount: bigint; readonly copies: number }
  | { readonly kind: 'decide'; readonly nth: number; readonly agrees: boolean; readonly amount: bigint | undefined }
  | { readonly kind: 'cancel' | 'advance'; readonly nth: number }
  /** What becomes of a return that is under way: a process may die before or after the rail has it. */
  | { readonly kind: 'send'; readonly nth: number; readonly how: 'settle' | 'refuse' | 'diesBefore' | 'diesAfter' };

/** A partner whose deposits are contested, over the sandbox, beside the simplest model of it. Nothing works by itself. */
export class MedPlay {
  readonly model = new MedModel();
  readonly #commands: CommandBus;

  private constructor(
    private readonly service: InProcessOwning,
    private readonly caller: Principal,
    private readonly other: string,
    private readonly setTime: (at: number) => void,
  ) {
    this.#commands = service.app.get(CommandBus);
  }

  static async begin(service: InProcessOwning, setTime: (at: number) => void): Promise<MedPlay> {
    const commands = service.app.get(CommandBus);
    const taxNumber = nextCnpj();
    const { uid: partnerUid } = await commands.execute(new RegisterPartner('Teste', taxNumber, ACTOR));
    const open = async () => (await commands.execute(new OpenAccount(partnerUid, { name: 'T', taxNumber }, ACTOR))).uid;
    const accountUid = await open();
    const partition = partitionOf(accountUid)!;
    const caller = { accessKey: 'k', accountUid, partnerUid, partition, permissions: [] };
    return new MedPlay(service, caller, await open(), setTime);
  }

  async step(one: MedStep): Promise<void> {
    switch (one.kind) {
      case 'deposit':
        return this.#deposit(one.amount);
      case 'credit':
        await this.#commands.execute(new CreditAccount(this.caller.accountUid, one.amount, 'Teste', ACTOR));
        return this.model.comesIn(one.amount, Date.now());
      case 'spend':
        return this.#spend(one.amount);
      case 'days':
        return this.setTime(Date.now() + one.days * DAY_MS);
      case 'refund':
        return this.#refund(one.nth, one.amount);
      case 'report':
        return this.#report(one);
      case 'decide':
        return this.#decide(one);
      case 'cancel':
        return this.#cancel(one.nth);
      case 'advance':
        return this.#advance(one.nth);
      case 'send':
        return this.#send(one);
    }
  }

  /** All that is under way comes to its end, and every case is looked at. */
  async settle(): Promise<void> {
    while (this.model.underWay.length > 0) await this.step({ kind: 'send', nth: 0, how: 'settle' });
    for (let nth = 0; nth < this.model.cases.length; nth += 1) await this.#advance(nth);
    if (this.model.underWay.length > 0) await this.settle();
  }

  async #deposit(amount: bigint): Promise<void> {
    const cashIn = { orderId: 'o', orderDescription: undefined, webhook: { url: 'http://127.0.0.1:65535/hook' } };
    const request = { ...cashIn, amount, payer: undefined, expiresIn: 600 };
    const made = await this.#commands.execute(new RequestCashIn(this.caller, request as never, 'r', undefined));
    const { id } = made.transaction;
    const { endToEndId } = await this.service.app.get(PayerBank, { strict: false }).pay(txidOf(id), amount, PAYER);
    this.model.deposits.push({ id, endToEndId, amount, refunded: 0n, completedAt: await this.#completedAt(id) });
    this.model.comesIn(amount, Date.now());
  }

  async #completedAt(id: string): Promise<number> {
    const located = await this.service.app.get(PixTransactions, { strict: false }).byId(id);
    return Date.parse(located!.transaction.stateDates.Completed!);
  }

  async #spend(amount: bigint): Promise<void> {
    const done = await accepted(
      this.#commands.execute(new RequestTransfer(this.caller, this.other, amount, undefined, 'r', undefined)),
    );
    expect(done !== undefined).toBe(this.model.available >= amount);
    if (done) this.model.available -= amount;
  }

  async #refund(nth: number, amount: bigint): Promise<void> {
    const deposit = pick(this.model.deposits, nth);
    if (!deposit) return;
    const run = new RefundCashIn(this.caller, deposit.id, amount, undefined, 'r', undefined);
    const done = await accepted(this.#commands.execute(run));
    const inTime = Date.now() - deposit.completedAt < 89 * DAY_MS;
    if (inTime) {
      const allowed = amount <= deposit.amount - deposit.refunded && this.model.available >= amount;
      expect(done !== undefined).toBe(allowed);
    }
    if (!done) return;
    this.model.available -= amount;
    this.model.held += amount;
    deposit.refunded += amount;
    this.model.underWay.push({ refundId: done.transaction.id, amount, deposit });
  }

  async #report({ nth, amount, copies }: Extract<MedStep, { kind: 'report' }>): Promise<void> {
    const deposit = pick(this.model.deposits, nth);
    if (!deposit) return;
    const { app } = this.service;
    const asked = amount < deposit.amount ? amount : deposit.amount;
    const told = { endToEndId: deposit.endToEndId, amount: asked, reason: 'Scam' as const, details: 'Golpe' };
    const reported = await app.get(Infractions, { strict: false }).report(told);
    const inbox = app.get(InfractionInbox, { strict: false });
    await Promise.all(Array.from({ length: copies }, () => inbox.infractionChanged(reported)));
    const known = await app.get(Cases, { strict: false }).byRailId(this.caller.partition, reported.railId);
    const { id, holdId } = known!.infraction;
    this.model.report({ id, holdId, railId: reported.railId, deposit, asked }, Date.now());
  }

  async #decide({ nth, agrees, amount }: Extract<MedStep, { kind: 'decide' }>): Promise<void> {
    const one = pick(this.model.cases, nth);
    if (!one) return;
    const decision = agrees ? { result: 'Agreed' as const, amount } : { result: 'Rejected' as const };
    const done = await accepted(this.#commands.execute(new DecideInfraction(one.id, decision, ACTOR, 'r')));
    expect(done !== undefined).toBe(this.model.decide(one, agrees, amount, Date.now()));
  }

  async #cancel(nth: number): Promise<void> {
    const one = pick(this.model.cases, nth);
    if (!one) return;
    const cancelled = await this.service.app.get(Infractions, { strict: false }).end(one.railId, 'Cancelled');
    if (!cancelled) return;
    await this.service.app.get(InfractionInbox, { strict: false }).infractionChanged(cancelled);
    this.model.cancel(one, Date.now());
  }

  async #advance(nth: number): Promise<void> {
    const one = pick(this.model.cases, nth);
    if (!one) return;
    const item = {
      subject: one.id,
      partition: this.caller.partition,
      id: one.id,
      kind: '',
      payload: null,
      attempts: 1,
    };
    // Two processes at once: a lease that was lost.
    const worker = this.service.app.get(CaseWorker, { strict: false });
    await Promise.all([worker.perform(item), worker.perform(item)]);
    const begun = this.model.advance(one, Date.now());
    if (!begun) return;
    const [row] = await this.service.owner.query<{ id: string }>(
      `select id from transaction where type = 'Refund' and state = 'Registered' and details->>'infractionId' = $1`,
      [one.id],
    );
    this.model.underWay.push({ ...begun, refundId: row!.id });
  }

  async #send({ nth, how }: Extract<MedStep, { kind: 'send' }>): Promise<void> {
    const one = pick(this.model.underWay, nth);
    if (!one || how === 'diesBefore') return;
    const { app } = this.service;
    const refunds = app.get(Refunds, { strict: false });
    const { transaction } = (await app.get(PixTransactions, { strict: false }).byId(one.refundId))!;
    const { endToEndId: returnId, amount } = transaction;
    const instruction = { returnId: returnId!, endToEndId: one.deposit.endToEndId, amount, code: 'FR01' as const };
    if (how === 'diesAfter') return void (await refunds.refund(instruction, false));
    if (how === 'refuse') {
      await refunds.refund(instruction, true);
      await refunds.end(returnId!, 'fail');
    }
    const item = { subject: one.refundId, partition: 0, id: one.refundId, kind: '', payload: null, attempts: 2 };
    await app.get(SendRefundWorker, { strict: false }).perform(item);
    const outcome = await refunds.find(returnId!);
    this.model.ended(one, outcome.status === 'Settled', Date.now());
  }

  /** The service has what the model has; nothing went back twice, nor more than was held or came in. */
  async assertAsModelled(): Promise<void> {
    const { model, service } = this;
    const live = await service.app.get(Registry, { strict: false }).account(this.caller.accountUid);
    expect({ available: live.available, held: live.held, blocked: live.blocked }).toEqual({
      available: model.available,
      held: model.held,
      blocked: model.cases.reduce((sum, one) => sum + one.hold.blocked, 0n),
    });
    const holds = new Map((await this.#holds()).map((hold) => [hold.id, hold]));
    for (const one of model.cases) {
      const known = await service.app.get(Cases, { strict: false }).find(one.id);
      expect(shown(known!.infraction)).toEqual(expected(one));
      if (!one.holdId) continue;
      const hold = holds.get(one.holdId)!;
      expect([hold.filled, blockedBy(hold), hold.status]).toEqual([
        one.hold.filled,
        one.hold.blocked,
        one.hold.closed ? 'Closed' : 'Open',
      ]);
      expect(one.returned + one.pending <= hold.filled && hold.filled <= hold.amount).toBe(true);
    }
    const back = await service.owner.query<{ id: string; sum: string }>(
      `select end_to_end_id as id, sum(amount) filter (where status = 'Settled') as sum from sandbox.refund_out
       where end_to_end_id = any($1::text[]) group by end_to_end_id`,
      [model.deposits.map(({ endToEndId }) => endToEndId)],
    );
    for (const { id, sum } of back) {
      const deposit = model.deposits.find(({ endToEndId }) => endToEndId === id)!;
      expect(BigInt(sum ?? 0) <= deposit.amount && BigInt(sum ?? 0) <= deposit.refunded).toBe(true);
    }
  }

  async #holds(): Promise<Hold[]> {
    const rows = await this.service.database.query({
      name: 'holds-of-med-test',
      text: `select ${holdTable.columns} from hold where partition = $1 and account_uid = $2`,
      values: [this.caller.partition, this.caller.accountUid],
    });
    return rows.map(holdTable.parse);
  }
}

function shown({ status, amount, agreed, returned, pending }: Infraction) {
  return { status, amount, agreed, returned, pending };
}

function expected({ status, amount, agreed, returned, pending }: ModelCase) {
  return { status, amount, agreed, returned, pending };
}

function pick<T>(all: readonly T[], nth: number): T | undefined {
  return all[nth % all.length];
}

async function accepted<T>(command: Promise<T>): Promise<T | undefined> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}
