import { expect } from '@jest/globals';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { CreditAccount, ExecuteHold, type LimitName, OpenAccount, PlaceHold } from '../../src/accounts/index.js';
import { RegisterPartner, ReleaseHold, SetPayoutLimits } from '../../src/accounts/index.js';
import type { Principal } from '../../src/auth/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { DecideInfraction } from '../../src/med/index.js';
import { Cases } from '../../src/med/cases.js';
import { RequestRecovery } from '../../src/med/commands/request-recovery/request-recovery.command.js';
import { CaseWorker } from '../../src/med/workers/case.worker.js';
import { RecoveryWorker } from '../../src/med/workers/recovery.worker.js';
import { RefundCashIn } from '../../src/pix/commands/refund-cash-in/refund-cash-in.command.js';
import { RequestCashIn } from '../../src/pix/commands/request-cash-in/request-cash-in.command.js';
import { RequestCashOut } from '../../src/pix/commands/request-cash-out/request-cash-out.command.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { InfractionInbox, PixTransactions } from '../../src/pix/index.js';
import { RailInbox } from '../../src/pix/inbox/rail-inbox.js';
import { Infractions } from '../../src/pix/rails/sandbox/infractions.js';
import { PaymentsIn } from '../../src/pix/rails/sandbox/payments-in.js';
import { PaymentsOut } from '../../src/pix/rails/sandbox/payments-out.js';
import { Refunds } from '../../src/pix/rails/sandbox/refunds.js';
import { FORCED } from '../../src/pix/rails/sandbox/script.js';
import { SendPaymentWorker } from '../../src/pix/workers/send-payment.worker.js';
import { SendRefundWorker } from '../../src/pix/workers/send-refund.worker.js';
import { AppError } from '../../src/platform/errors/index.js';
import type { IdempotentRequest } from '../../src/platform/http/index.js';
import { RequestTransfer } from '../../src/transfers/commands/request-transfer/request-transfer.command.js';
import { nextCnpj } from './api.js';
import { attempt } from './attempt.js';
import { limitText, type LimitValue, nameOf } from './limit-model.js';
import { ENDED, MoneyChecks } from './money-checks.js';
import { DAY_MS, type ModelCase, MoneyModel, type UnderWay } from './money-model.js';
import type { Death, PlayedApplication } from './mortal-application.js';
import { PAYER } from './pix-given.js';

export const ACTOR = 'operator:test';
const ACCOUNTS = 2;
const MINUTE_MS = 60_000;
/** Cases that are looked at together: no more than one batch has room for. */
const AT_ONCE = 32;
export const FAR = new Date('2100-01-01T00:00:00Z');
/** Two natural persons, a legal person. */
export const PEOPLE = ['52998224725', '11144477735', '12345678000195'] as const;

interface Steps {
  readonly credit: { readonly at: number; readonly amount: bigint };
  readonly deposit: Steps['credit'];
  /** To the other account. */
  readonly transfer: Steps['credit'];
  /** To the holder itself, where nobody else is named. */
  readonly payout: Steps['credit'] & { readonly to: string | undefined };
  readonly limit: { readonly at: number; readonly name: LimitName; readonly value: LimitValue };
  readonly pass: { readonly minutes: number };
  readonly place: Steps['credit'] & { readonly waits: boolean };
  readonly release: { readonly nth: number; readonly amount: bigint | undefined };
  readonly execute: { readonly nth: number; readonly amount: bigint };
  readonly refund: Steps['execute'];
  readonly recover: { readonly nth: number };
  readonly recovered: { readonly nth: number; readonly accepts: bigint | undefined };
  readonly report: Steps['execute'] & { readonly copies: number };
  readonly decide: Steps['release'] & { readonly agrees: boolean };
  readonly cancel: { readonly nth: number };
  readonly advance: { readonly nth: number };
  /** What becomes of money that is under way. Only a payout is reversed. */
  readonly send: { readonly nth: number; readonly how: 'settle' | 'refuse' | 'reverse' | 'only send' };
  /** A request of before, with its key; or another one with that key. */
  readonly again: { readonly nth: number; readonly other: boolean };
}
type Of<K extends keyof Steps> = K extends unknown ? { readonly kind: K } & Steps[K] : never;
export type MoneyStep = Of<keyof Steps>;

type Request = (idempotency: IdempotentRequest) => Command<any>;
interface Asked {
  readonly key: string;
  readonly run: Request;
  readonly answer: object;
}

const webhook = { url: 'http://127.0.0.1:65535/hook' };
const order = { orderId: 'o', orderDescription: undefined, webhook };

/**
 * A partner with two accounts over the sandbox, beside the simplest model of them. Nothing works by itself. Every
 * request has a key, so that it can be made again when its process has died.
 */
export class MoneyPlay {
  readonly model: MoneyModel;
  readonly checks: MoneyChecks;
  readonly #asked: Asked[] = [];
  #keys = 0;
  #death: Death | undefined;

  private constructor(
    private readonly played: PlayedApplication,
    private readonly holder: string,
    private readonly callers: readonly Principal[],
    from: bigint,
    private readonly setTime: (at: number) => void,
    private readonly met: Set<string>,
  ) {
    this.model = new MoneyModel(ACCOUNTS, holder);
    this.checks = new MoneyChecks(played, this.model, callers, from);
  }

  /** @param met what steps did and what was refused, for who asks */
  static async begin(
    played: PlayedApplication,
    setTime: (at: number) => void,
    met = new Set<string>(),
  ): Promise<MoneyPlay> {
    const commands = played.app.get(CommandBus);
    const taxNumber = nextCnpj();
    const { uid: partnerUid } = await commands.execute(new RegisterPartner('Teste', taxNumber, ACTOR));
    const callers: Principal[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      const { uid } = await commands.execute(new OpenAccount(partnerUid, { name: 'Teste', taxNumber }, ACTOR));
      const partition = partitionOf(uid)!;
      callers.push({ accessKey: 'k', accountUid: uid, partnerUid, partition, permissions: [] });
    }
    const [head] = await played.owner.query<{ position: string }>(
      'select position from log_head where partition = $1',
      [callers[0]!.partition],
    );
    return new MoneyPlay(played, taxNumber, callers, BigInt(head!.position), setTime, met);
  }

  /** @param death of the process, while it works on the step */
  async step(one: MoneyStep, death?: Death): Promise<void> {
    this.#death = death;
    const { model } = this;
    switch (one.kind) {
      case 'credit':
        return this.#credit(one);
      case 'transfer':
        return this.#transfer(one);
      case 'deposit':
        return this.#deposit(one);
      case 'payout':
        return this.#payout(one);
      case 'limit':
        return this.#limit(one);
      case 'pass':
        return this.setTime(Date.now() + one.minutes * MINUTE_MS);
      case 'place':
        return this.#place(one);
      case 'release':
      case 'execute':
        return this.#leaves(one);
      case 'refund':
        return this.#refund(one);
      case 'recover':
        return this.#recover(one);
      case 'recovered':
        return this.#recovered(one);
      case 'report':
        return this.#report(one);
      case 'decide':
        return this.#decide(one);
      case 'cancel':
        return this.#cancel(one);
      case 'advance':
        return this.#advance(pick(model.cases, one.nth));
      case 'send':
        return this.#send(pick(model.underWay, one.nth), one.how);
      case 'again':
        return this.#again(one);
    }
  }

  /** All that is under way comes to its end, and every case is looked at. */
  async settle(): Promise<void> {
    while (this.model.underWay.length > 0) await this.step({ kind: 'send', nth: 0, how: 'settle' });
    this.#death = undefined;
    const { cases } = this.model;
    for (const one of cases.filter((asked) => !isOver(asked))) await this.#advance(one);
    // Whatever is done with these changes nothing: they need not be looked at one after the other.
    const over = cases.filter(isOver);
    for (let i = 0; i < over.length; i += AT_ONCE)
      await Promise.all(over.slice(i, i + AT_ONCE).map((one) => this.#advance(one)));
    if (this.model.underWay.length > 0) await this.settle();
  }

  #get<T>(part: abstract new (...args: any[]) => T): T {
    return this.played.app.get<T>(part, { strict: false });
  }

  #survive<T>(work: () => Promise<T>): Promise<T> {
    return this.played.survive(work, this.#death);
  }

  /** Makes a request under a key of its own. @returns its answer; a refusal's name */
  async #ask(kind: MoneyStep['kind'], run: Request): Promise<any> {
    const key = `k${(this.#keys += 1)}`;
    const answer = await this.#survive(() => this.#tried(run({ key, request: 'the same' })));
    this.met.add(typeof answer === 'string' ? `${kind} refused` : kind);
    if (typeof answer !== 'string') this.#asked.push({ key, run, answer });
    return answer;
  }

  /** @param isAllowed what the model says */
  async #askIf(isAllowed: boolean, kind: MoneyStep['kind'], run: Request): Promise<any> {
    const answer = await this.#ask(kind, run);
    expect(typeof answer === 'string' ? answer : true).toEqual(isAllowed || expect.any(String));
    return isAllowed ? answer : undefined;
  }

  async #tried(command: Command<any>): Promise<any> {
    try {
      const { replayed: _, ...answer } = await this.#get(CommandBus).execute(command);
      return answer;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const { details } = error as unknown as { details: { reason: string; scope?: string } };
      return nameOf(details);
    }
  }

  async #again({ nth, other }: Of<'again'>): Promise<void> {
    const asked = pick(this.#asked, nth);
    if (!asked) return;
    const { key, run, answer } = asked;
    const second = await this.#survive(() => this.#tried(run({ key, request: other ? 'another' : 'the same' })));
    expect(second).toEqual(other ? 'IdempotencyKeyReuse' : answer);
    this.met.add('again');
  }

  async #credit({ at, amount }: Of<'credit'>): Promise<void> {
    const { accountUid } = this.callers[at]!;
    await this.#askIf(true, 'credit', (key) => new CreditAccount(accountUid, amount, 'Teste', ACTOR, 'r', key));
    this.model.comesIn(this.model.accounts[at]!, amount, Date.now());
  }

  async #transfer({ at, amount }: Of<'transfer'>): Promise<void> {
    const other = (at + 1) % ACCOUNTS;
    const source = this.model.accounts[at]!;
    const to = this.callers[other]!.accountUid;
    const run: Request = (key) => new RequestTransfer(this.callers[at]!, to, amount, undefined, 'r', key);
    if (!(await this.#askIf(source.available >= amount, 'transfer', run))) return;
    source.available -= amount;
    this.model.comesIn(this.model.accounts[other]!, amount, Date.now());
  }

  async #deposit({ at, amount }: Of<'deposit'>): Promise<void> {
    const cashIn = { ...order, amount, payer: undefined, expiresIn: 600 };
    const made = await this.#askIf(true, 'deposit', (key) => new RequestCashIn(this.callers[at]!, cashIn, 'r', key));
    const { id } = made.transaction as { id: string };
    const { payment } = await this.#get(PaymentsIn).book(txidOf(id), amount, PAYER);
    await this.#survive(() => this.#get(RailInbox).paymentReceived(payment));
    const { transaction } = (await this.#get(PixTransactions).byId(id))!;
    const account = this.model.accounts[at]!;
    const completedAt = Date.parse(transaction.stateDates.Completed!);
    const { endToEndId } = payment;
    this.model.deposits.push({ id, account, endToEndId, amount, refunded: 0n, back: 0n, completedAt });
    this.model.comesIn(account, amount, Date.now());
  }

  async #payout({ at, amount, to = this.holder }: Of<'payout'>): Promise<void> {
    const account = this.model.accounts[at]!;
    const { ispb, branch, number, digit, type } = PAYER;
    const recipient = { name: 'Ana', taxNumber: to, account: { ispb, branch, number, digit, type } };
    const cashOut = { ...order, payment: { method: 'Account' as const, amount, recipient } };
    const passed = account.limits.passed(to, amount, new Date());
    const answer = await this.#ask('payout', (key) => new RequestCashOut(this.callers[at]!, cashOut, 'r', key));
    if (typeof answer !== 'string') {
      expect(passed).toEqual([]);
      expect(account.available >= amount).toBe(true);
      return this.model.pay(answer.transaction.id, account, to, amount, Date.now());
    }
    const isLimit = answer !== 'CustomerAccountInsufficientFunds';
    if (isLimit) this.met.add('limit reached');
    if (isLimit) expect(passed).toContain(answer);
    else expect([passed, account.available < amount]).toEqual([[], true]);
  }

  async #limit({ at, name, value }: Of<'limit'>): Promise<void> {
    const { accountUid } = this.callers[at]!;
    const asked = { [name]: limitText(value) };
    await this.#survive(() => this.#get(CommandBus).execute(new SetPayoutLimits(accountUid, asked, ACTOR, 'r')));
    this.model.accounts[at]!.limits.set(name, value, new Date());
  }

  async #place({ at, amount, waits }: Of<'place'>): Promise<void> {
    const { accountUid } = this.callers[at]!;
    const hold = { amount, cause: 'Judicial' as const, reference: 'R', ...(waits && { retryUntil: FAR }) };
    const answer = await this.#askIf(true, 'place', (key) => new PlaceHold(accountUid, hold, ACTOR, 'r', key));
    const { id } = answer.hold as { id: string };
    this.model.place(this.model.accounts[at]!, { id, amount, until: waits ? FAR.getTime() : 0 });
  }

  async #leaves(one: Of<'release' | 'execute'>): Promise<void> {
    const hold = pick(this.model.placed(), one.nth);
    if (!hold) return;
    const { accountUid } = this.callers[this.model.accounts.indexOf(hold.account)]!;
    const run: Request = (key) =>
      one.kind === 'release'
        ? new ReleaseHold(accountUid, hold.id!, one.amount, ACTOR, 'r', key)
        : new ExecuteHold(accountUid, hold.id!, one.amount, { kind: 'MedReturn', reference: 'D1' }, ACTOR, 'r', key);
    if (!(await this.#askIf(this.model.gives(hold, one.amount), one.kind, run))) return;
    if (one.kind === 'release') this.model.release(hold, one.amount, Date.now());
    else this.model.execute(hold, one.amount);
  }

  async #refund({ nth, amount }: Of<'refund'>): Promise<void> {
    const deposit = pick(this.model.deposits, nth);
    if (!deposit || Date.now() - deposit.completedAt >= 89 * DAY_MS) return;
    const { account } = deposit;
    const caller = this.#callerOf(account);
    const allowed = amount <= deposit.amount - deposit.refunded && account.available >= amount;
    const run: Request = (key) => new RefundCashIn(caller, deposit.id, amount, undefined, 'r', key);
    const answer = await this.#askIf(allowed, 'refund', run);
    if (answer) this.model.refund(answer.transaction.id, deposit, amount);
  }

  async #recover({ nth }: Of<'recover'>): Promise<void> {
    const ended = this.model.payouts.filter(({ completedAt }) => completedAt > 0);
    const payout = pick(ended, nth);
    if (!payout || Date.now() - payout.completedAt > 79 * DAY_MS) return;
    const amount = this.model.recoverable(payout);
    const caller = this.#callerOf(payout.account);
    const run: Request = (key) => new RequestRecovery(caller, payout.id, 'Scam', 'Golpe', 'r', key);
    const answer = await this.#askIf(amount > 0n, 'recover', run);
    if (!answer) return;
    const { id } = answer as { id: string };
    // After a death nobody knows whether the rail was asked.
    for (const attempts of [1, 2]) await this.#survive(() => this.#get(RecoveryWorker).perform(itemOf(id, attempts)));
    this.model.recoveries.push({ id, payout, amount, status: 'Opened' });
  }

  async #recovered({ nth, accepts }: Of<'recovered'>): Promise<void> {
    const recovery = pick(
      this.model.recoveries.filter(({ status }) => status === 'Opened'),
      nth,
    );
    if (!recovery) return;
    const { id, amount, payout } = recovery;
    const accepted = accepts !== undefined && accepts > amount ? amount : accepts;
    const ending = accepted === undefined ? { code: 'Disagreed' } : { accepted };
    const { outcome, returned } = (await this.#get(Infractions).endRecovery(id, ending))!;
    await this.#survive(() => this.#get(InfractionInbox).recoveryChanged(id, outcome));
    if (returned) {
      const tell = () => this.#get(RailInbox).moneyReturned(returned);
      await this.#survive(() => Promise.all([tell(), tell()]));
      this.met.add('money recovered');
    }
    expect(payout.back + (accepted ?? 0n) <= payout.amount).toBe(true);
    this.model.recovered(recovery, accepted, Date.now());
  }

  async #report({ nth, amount, copies }: Of<'report'>): Promise<void> {
    const deposit = pick(this.model.deposits, nth);
    if (!deposit) return;
    const asked = amount < deposit.amount ? amount : deposit.amount;
    const told = { endToEndId: deposit.endToEndId, amount: asked, reason: 'Scam' as const, details: 'Golpe' };
    const reported = await this.#get(Infractions).report(told);
    const tell = () => this.#get(InfractionInbox).infractionChanged(reported);
    await this.#survive(() => Promise.all(Array.from({ length: copies }, tell)));
    const { partition } = this.#callerOf(deposit.account);
    const known = await this.#get(Cases).byRailId(partition, reported.railId);
    const { id, holdId } = known!.infraction;
    this.model.report({ id, holdId, railId: reported.railId, deposit, asked }, Date.now());
    this.met.add('report');
  }

  async #decide({ nth, agrees, amount }: Of<'decide'>): Promise<void> {
    const one = pick(this.model.cases, nth);
    if (!one) return;
    const decision = agrees ? { result: 'Agreed' as const, amount } : { result: 'Rejected' as const };
    const answer = await this.#ask('decide', (key) => new DecideInfraction(one.id, decision, ACTOR, 'r', key));
    expect(typeof answer !== 'string').toBe(this.model.decide(one, agrees, amount, Date.now()));
  }

  async #cancel({ nth }: Of<'cancel'>): Promise<void> {
    const one = pick(this.model.cases, nth);
    if (!one) return;
    const cancelled = await this.#get(Infractions).end(one.railId, 'Cancelled');
    if (!cancelled) return;
    await this.#survive(() => this.#get(InfractionInbox).infractionChanged(cancelled));
    this.model.cancel(one, Date.now());
    this.met.add('cancel');
  }

  async #advance(one: ModelCase | undefined): Promise<void> {
    if (!one) return;
    // Two processes at once: a lease that was lost.
    const perform = () => this.#get(CaseWorker).perform({ ...itemOf(one.id, 1), partition: partitionOf(one.id)! });
    await this.#survive(() => Promise.all([perform(), perform()]));
    const amount = this.model.advance(one, Date.now());
    if (amount === undefined) return;
    const [row] = await this.played.owner.query<{ id: string }>(
      `select id from transaction where type = 'Refund' and state = 'Registered' and details->>'infractionId' = $1`,
      [one.id],
    );
    const { deposit } = one;
    this.model.underWay.push({ id: row!.id, account: deposit.account, amount, deposit, of: one });
    this.met.add('return of a case');
  }

  async #send(one: UnderWay | undefined, how: Of<'send'>['how']): Promise<void> {
    if (!one) return;
    const isPayout = 'payout' in one;
    const worker = () => (isPayout ? this.#get(SendPaymentWorker) : this.#get(SendRefundWorker));
    const { endToEndId } = (await this.#get(PixTransactions).byId(one.id))!.transaction;
    if (how === 'only send' && isPayout) {
      return void (await this.#survive(() => worker().perform(itemOf(one.id, 1))));
    }
    const ending = isPayout && how === 'reverse' ? 'reverse' : how === 'refuse' ? 'fail' : 'complete';
    if (isPayout) {
      // The first attempt may have been somebody else's.
      await this.#survive(() => worker().perform(itemOf(one.id, 2)));
      await this.#get(PaymentsOut).end(endToEndId!, FORCED[ending], new Date());
    } else if (how !== 'settle' && how !== 'reverse') {
      const { amount, deposit, of } = one;
      const code = of ? ('FR01' as const) : ('MD06' as const);
      const instruction = { returnId: endToEndId!, endToEndId: deposit.endToEndId, amount, code };
      await this.#get(Refunds).refund(instruction, how === 'refuse');
      if (how === 'only send') return;
      await this.#get(Refunds).end(endToEndId!, 'fail');
    }
    await this.#survive(() => worker().perform(itemOf(one.id, 2)));
    const { transaction } = (await this.#get(PixTransactions).byId(one.id))!;
    const outcome = isPayout
      ? await this.#get(PaymentsOut).find(endToEndId!)
      : await this.#get(Refunds).find(endToEndId!);
    const state = ENDED[outcome.status as keyof typeof ENDED];
    expect(transaction.state).toBe(state);
    this.model.ended(one, state, Date.now());
    this.met.add(`${isPayout ? 'payout' : 'refund'} ${state}`);
  }

  #callerOf(account: MoneyModel['accounts'][number]): Principal {
    return this.callers[this.model.accounts.indexOf(account)]!;
  }
}

/** Nothing moves a case that has ended and blocks nothing, but a return that was under way and is refused. */
const isOver = ({ status, hold }: ModelCase) => status !== 'Open' && status !== 'Agreed' && hold.blocked === 0n;

const itemOf = (id: string, attempts: number) => ({
  subject: id,
  partition: 0,
  id,
  kind: '',
  payload: null,
  dueAt: new Date(),
  ...attempt(attempts),
});

function pick<T>(all: readonly T[], nth: number): T | undefined {
  return all[nth % all.length];
}
