import { txidOf, uuidOfTxid } from '../../../src/pix/domain/values/txid.js';
import { type Answer, OperatorApi, PartnerApi } from '../../support/api.js';
import { assertLedgerSound } from '../../support/audit.js';
import { testAuthority } from '../../support/certificates.js';
import type { TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { bcbSettings, ModelPsp, type PspFault } from '../../support/model-psp.js';
import type { PspPix } from '../../support/model-psp-books.js';
import { MovingClock } from '../../support/moving-clock.js';
import { PartnerReceiver } from '../../support/partner-receiver.js';
import { type Service, startService } from '../../support/service.js';
import { tellEvents } from '../../support/told-events.js';
import { Random } from './random.js';

/** Deposits and refunds over the API Pix, by two processes that are killed at every call of the PSP. */

const CLIENTS = 12;
const PROCESSES = 2;
/** Longer than a payment waits for its deposit, which may not be in the ledger yet. */
const AHEAD_MS = 120_000;
const PATIENT = { within: 60_000, every: 50 };

/** What becomes of a deposit, and how many of a hundred. */
const PLAYS = { paid: 40, unheard: 12, wrong: 10, twice: 10, cancelled: 8, raced: 8, late: 8, keyless: 4 };
type Play = keyof typeof PLAYS;

/** Where kills strike: on the way to the PSP, and after it has carried the request out. `play` leads there. */
const POINTS: Readonly<Record<string, { readonly call: RegExp; readonly play: Play }>> = {
  'a charge is made': { call: /^PUT \/cob/, play: 'unheard' },
  'a charge is closed': { call: /^PATCH \/cob/, play: 'cancelled' },
  'a payment is read': { call: /^GET \/pix\/\w+$/, play: 'paid' },
  'payments are listed': { call: /^GET \/pix\?/, play: 'unheard' },
  'money is returned': { call: /^PUT \/pix\/\w+\/devolucao/, play: 'wrong' },
  'a return is looked up': { call: /^GET \/pix\/\w+\/devolucao/, play: 'wrong' },
};

/** What a PSP may fail at: the rare calls as often as the others. */
const CALLS = [...Object.values(POINTS).map(({ call }) => call), /^POST \/oauth\/token/];

/** Trouble of a PSP or of what stands before it; none of them is a refusal. */
const FAULTS: readonly PspFault[] = [
  ...(['hang', 'answer lost', 'answer lost'] as const),
  ...[{ status: 500 }, { status: 503, retryAfter: 1 }, { status: 429, retryAfter: 1 }],
  ...([404, 502].map((status) => ({ status, bare: true })) as PspFault[]),
];

export interface DepositOptions {
  readonly deposits: number;
  /** How often every point is struck, before the PSP has carried the request out and after it. */
  readonly kills: number;
  readonly seed: number;
  /** One in so many steps of a client has the PSP fail once; 0 is none. */
  readonly chaos: number;
}

export interface DepositFigures {
  readonly deposits: number;
  readonly kills: number;
  /** Payments at the PSP, and what became of them. */
  readonly payments: Readonly<Record<'credited' | 'returned' | 'refused' | 'unmatched', number>>;
  readonly refunds: number;
  /** What is wrong; empty when everything held. */
  readonly wrong: readonly string[];
}

export async function depositsOverApiPix(
  database: TestDatabase,
  { deposits, kills, seed, chaos }: DepositOptions,
  say: (line: string) => void = () => undefined,
): Promise<DepositFigures> {
  const random = new Random(seed);
  const authority = testAuthority('PSP authority');
  const [psp, clock] = [await ModelPsp.start(authority), await MovingClock.make()];
  const settings = {
    ...bcbSettings(psp, authority),
    ...clock.settings,
    BCB_TIMEOUT_MS: '500',
    // The stand-in's look-up does not lag. After a kill a refusal may be for the repetition: it waits for this.
    BCB_LOOKUP_LAG_SECONDS: '2',
  };
  const services: Service[] = [];
  for (let n = 0; n < PROCESSES; n += 1) services.push(await startService(database.url, settings));
  const partner = await new OperatorApi(services[0]!.url).partner(['1000.00']);
  const receiver = await PartnerReceiver.start([partner.webhookSecret]);
  const session = await PartnerApi.login(services[0]!.url, partner.credentials);
  await eventually(() => psp.books.webhookUrl);

  const ids: string[] = [];
  /** Deposits that were paid as they ask for, and that nobody cancelled. */
  const due: string[] = [];
  const refunds: string[] = [];
  let asked = 0;
  let killed = 0;

  const anyService = () => random.pick(services).url;
  const disturb = () => {
    if (chaos > 0 && random.chance(1 / chaos)) psp.failNext(random.pick(CALLS), random.pick(FAULTS));
  };
  /** Until one of the processes says one of these; with one key, so that a lost answer is no second deposit. */
  const until = (expected: readonly number[], path: string, body?: object, key?: string): Promise<Answer> =>
    eventually(async () => {
      disturb();
      const headers = key === undefined ? undefined : { 'idempotency-key': key };
      const answer = await session.on(anyService()).post(path, body, headers);
      return expected.includes(answer.status) && answer;
    }, PATIENT);
  const tell = async (...paid: readonly PspPix[]) => {
    disturb();
    // A PSP tells again, or does not: the sweep finds what was not heard.
    await psp
      .notify(
        anyService(),
        paid.map(({ endToEndId }) => endToEndId),
      )
      .catch(() => 0);
  };
  const deposit = async () => {
    const number = (asked += 1);
    const original = `${10 + (number % 50)}.00`;
    const body = {
      payment: { value: { original } },
      transaction: { orderId: `pedido-${number}` },
      webhook: { url: receiver.url('/hook') },
    };
    const answer = await until([201], '/accounts/pix/cashin', body, `k-${number}`);
    const { id } = answer.body.data.transaction as { id: string };
    ids.push(id);
    return { id, txid: txidOf(id) };
  };
  const cancel = (id: string) => until([200, 422], `/accounts/pix/cashin/${id}/cancel`);
  const giveBack = async (id: string) => {
    const isThere = async () => (await state(id)) === 'Completed';
    await eventually(isThere, { within: 3_000, every: 50 }).catch(() => undefined);
    if (!(await isThere().catch(() => false))) return;
    for (const part of ['1.00', '2.00']) {
      const answer = await until([201], `/accounts/pix/cashin/${id}/refunds`, { amount: part }, `r-${id}-${part}`);
      refunds.push(answer.body.data.transaction.id);
    }
  };
  const state = async (id: string) =>
    (await session.on(anyService()).get(`/accounts/transactions/${id}`)).body.data?.transaction.state as string;
  const plays: Readonly<Record<Play, (one: { id: string; txid: string }) => Promise<unknown>>> = {
    paid: async ({ id, txid }) => {
      due.push(id);
      await tell(psp.books.pay(txid));
      if (random.chance(0.4)) await giveBack(id);
    },
    unheard: async ({ id, txid }) => {
      due.push(id);
      psp.books.pay(txid);
    },
    wrong: ({ txid }) => tell(psp.books.pay(txid, { valor: '7.77' })),
    twice: async ({ id, txid }) => {
      due.push(id);
      const both = [psp.books.pay(txid), psp.books.pay(txid)];
      await tell(...(random.chance(0.5) ? both.reverse() : both));
    },
    cancelled: ({ id }) => cancel(id),
    raced: ({ id, txid }) => Promise.all([tell(psp.books.pay(txid)), cancel(id)]),
    late: async ({ id, txid }) => {
      await cancel(id);
      await tell(psp.books.pay(txid));
    },
    keyless: () => tell(psp.books.pay(null, { valor: '3.33' })),
  };
  const step = async (play: Play = random.weighted(PLAYS)) => plays[play](await deposit());
  const upTo = (goal: number) =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (asked < goal) await step();
      }),
    );
  /** What a process held is free at once, as the time would have it; timers are due; open returns of the PSP end. */
  const hasten = async () => {
    await database.query(`update work set leased_until = now() - interval '1 second' where leased_until is not null`);
    // By clocks that may be ahead.
    await database.query(`update work set due_at = now() where due_at between now() and now() + interval '10 minutes'`);
    for (const { devolucoes } of psp.books.pix.values())
      for (const { id, status } of devolucoes)
        if (status === 'EM_PROCESSAMENTO')
          psp.books.endRefund(id, random.chance(0.1) ? 'NAO_REALIZADO' : 'DEVOLVIDO', 'AC03');
  };
  const strike = async (point: string, isCarriedOut: boolean) => {
    const { call, play } = POINTS[point]!;
    const met = () => psp.asked(call).length;
    const before = met();
    let reached = false;
    if (isCarriedOut)
      psp.beforeAnswer = async (method, path) => {
        if (!reached && call.test(`${method} ${path}`)) await stop();
      };
    else psp.failNext(call, 'hang');
    const victims = random.chance(0.5) ? [0, 1] : [random.whole(0, 1)];
    const stop = async () => {
      reached = true;
      await Promise.all(victims.map((one) => services[one]!.kill('SIGKILL')));
    };
    const led = (async () => {
      while (!reached) await Promise.all([step(play), hasten()]);
    })();
    if (isCarriedOut) await eventually(() => reached, PATIENT);
    else await eventually(() => met() > before, { ...PATIENT, every: 2 }).then(stop);
    psp.beforeAnswer = undefined;
    for (const one of victims) {
      services[one] = await startService(database.url, settings);
      killed += 1;
    }
    await hasten();
    await led;
  };

  try {
    const ways = Object.keys(POINTS).flatMap((point) => [[point, false] as const, [point, true] as const]);
    const strikes = Array.from({ length: kills }, () => ways).flat();
    for (const [i, [point, isCarriedOut]] of strikes.entries()) {
      psp.books.refunds = random.chance(0.5) || point === 'a return is looked up' ? 'EM_PROCESSAMENTO' : 'DEVOLVIDO';
      const traffic = upTo(Math.ceil(((i + 1) * deposits) / strikes.length));
      await strike(point, isCarriedOut);
      await traffic;
      say(`${i + 1} of ${strikes.length}: ${point}${isCarriedOut ? ', and done' : ''}; ${ids.length} deposits`);
    }
    psp.forgetFaults();
    psp.books.refunds = 'DEVOLVIDO';
    // Charges whose requests were never answered: a partner asked again, and got another one. Some are paid all the same.
    const known = new Set(ids);
    for (const txid of psp.books.cobs.keys())
      if (!known.has(uuidOfTxid(txid)!) && random.chance(0.5)) psp.books.pay(txid);
    await clock.jumpTo(AHEAD_MS);
    const last = { found: await compared(database, psp, { ids, due, refunds }) };
    await eventually(
      async () => {
        await hasten();
        last.found = await compared(database, psp, { ids, due, refunds });
        return last.found.wrong.length === 0;
      },
      { within: 60_000, every: 1_000 },
    ).catch(() => undefined);
    return { deposits: ids.length, kills: killed, ...last.found };
  } finally {
    for (const service of services) await service.stop();
    await receiver.stop();
    await clock.remove();
    await psp.close();
  }
}

interface Asked {
  readonly ids: readonly string[];
  readonly due: readonly string[];
  readonly refunds: readonly string[];
}

/** Every payment and every return, on both sides. */
async function compared(database: TestDatabase, psp: ModelPsp, { ids, due, refunds }: Asked) {
  const wrong: string[] = [];
  await tellEvents(database);
  const rows = await database.query<{ id: string; type: string; state: string; amount: string; e2e: string | null }>(
    `select id, type, state, amount::text, end_to_end_id as e2e from transaction`,
  );
  const events = await database.query<{ type: string; e2e: string }>(`
    select type, coalesce(data->>'endToEndId', data->'payment'->>'endToEndId') as e2e from told.event
    where type in ('PaymentReturnSettled', 'PaymentReturnRefused', 'UnmatchedPaymentReceived')`);
  const told = (type: string, e2e: string) => events.filter((one) => one.type === type && one.e2e === e2e).length;
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const cashIns = rows.filter(({ type }) => type === 'CashIn');
  const creditedBy = new Map(cashIns.filter(({ state }) => state === 'Completed').map((row) => [row.e2e, row]));
  const refundOf = new Map(rows.filter(({ type }) => type === 'Refund').map((row) => [row.e2e, row]));
  const payments = { credited: 0, returned: 0, refused: 0, unmatched: 0 };

  if (new Set(ids).size !== ids.length) wrong.push('two answers name one deposit');
  if (cashIns.length !== ids.length) wrong.push(`${cashIns.length} deposits in the ledger, ${ids.length} accepted`);
  for (const id of due) if (rowOf.get(id)?.state !== 'Completed') wrong.push(`${id}, paid, is ${rowOf.get(id)?.state}`);
  for (const { endToEndId, txid, valor, devolucoes } of psp.books.pix.values()) {
    const credited = creditedBy.get(endToEndId);
    const back = devolucoes.filter(({ status }) => status === 'DEVOLVIDO');
    if (devolucoes.some(({ status }) => status === 'EM_PROCESSAMENTO')) wrong.push(`${endToEndId} is being returned`);
    if (credited) {
      payments.credited += 1;
      creditedBy.delete(endToEndId);
      if (Number(credited.amount) !== centavos(valor)) wrong.push(`${endToEndId} of ${valor} gave ${credited.amount}`);
      for (const { id, status } of devolucoes) {
        const ends = refundOf.get(id)?.state;
        refundOf.delete(id);
        if (ends !== (status === 'DEVOLVIDO' ? 'Completed' : 'Error')) wrong.push(`${id} is ${ends}, there ${status}`);
      }
      continue;
    }
    const [settled, refused] = [told('PaymentReturnSettled', endToEndId), told('PaymentReturnRefused', endToEndId)];
    const sum = back.reduce((total, one) => total + centavos(one.valor), 0);
    if (settled === 1 && refused === 0 && back.length === 1 && sum === centavos(valor)) payments.returned += 1;
    else if (refused === 1 && settled === 0 && devolucoes.length === 1 && sum === 0) payments.refused += 1;
    else if (txid === undefined && devolucoes.length === 0 && told('UnmatchedPaymentReceived', endToEndId) === 1)
      payments.unmatched += 1;
    else
      wrong.push(`${endToEndId} of ${txid}: returned ${sum} of ${valor}; here ${settled} settled, ${refused} refused`);
  }
  for (const e2e of creditedBy.keys()) wrong.push(`${e2e} was credited, and the PSP does not know it`);
  for (const { id, state } of refundOf.values()) {
    if (state !== 'Error') wrong.push(`the refund ${id} is ${state}, and the PSP does not know it`);
  }
  for (const id of refunds) if (!rowOf.has(id)) wrong.push(`the refund ${id} is gone`);
  wrong.push(...psp.violations);
  await assertLedgerSound(database).catch((error: unknown) => wrong.push((error as Error).message));
  return { wrong, payments, refunds: rows.filter(({ type }) => type === 'Refund').length };
}

function centavos(amount: string): number {
  return Math.round(Number(amount) * 100);
}
