import { OperatorApi, PartnerApi } from '../../support/api.js';
import { assertLedgerSound } from '../../support/audit.js';
import { testAuthority } from '../../support/certificates.js';
import type { TestDatabase } from '../../support/database.js';
import { KEYS, REFUSED_AMOUNT } from '../../support/efi-books.js';
import { EfiPsp, efiSettings } from '../../support/efi-psp.js';
import { eventually } from '../../support/eventually.js';
import { PSP_KEY } from '../../support/model-psp-books.js';
import { PartnerReceiver } from '../../support/partner-receiver.js';
import { type Service, startService } from '../../support/service.js';
import { Random } from './random.js';

/** Payouts over Efí while the service is killed, at every point between their acceptance and their end. */

const SEND = /^PUT \/v3\/gn\/pix\//;
const LOOK_UP = /^GET \/v2\/gn\/pix\/enviados\/id-envio\//;
const CLIENTS = 16;
/** How long after its point a kill may come, milliseconds. */
const AFTER_MS = 15;
const SHORT = { within: 10_000, every: 2 };

/** Where the kill strikes. Each waits until a payout stands there. */
const POINTS: Readonly<Record<string, (run: Run) => Promise<unknown>>> = {
  'just accepted': ({ accepted, count }) => eventually(() => accepted() > count, SHORT),
  'on its way to the PSP': async ({ psp }) => reached(psp, SEND, 'hang'),
  'taken, and never answered': async ({ psp }) => reached(psp, SEND, 'hang after'),
  'taken, and its answer lost': async ({ psp }) => reached(psp, SEND, 'lost after'),
  'named, and under way': async (run) => {
    await run.psp.behave({ ends: 'hold' });
    await run.happens('CashOutNamed');
  },
  'ended, and being looked up': async ({ psp }) => reached(psp, LOOK_UP, 'hang'),
  'just completed': (run) => run.happens('CashOutCompleted'),
};

/** A request that meets its fault has come; the fault is met once. */
async function reached(psp: EfiPsp, pattern: RegExp, kind: 'hang' | 'hang after' | 'lost after'): Promise<void> {
  const before = (await psp.faults()).met;
  await psp.fail(pattern, { kind });
  await eventually(async () => (await psp.faults()).met > before, SHORT);
}

interface Run {
  readonly psp: EfiPsp;
  readonly accepted: () => number;
  /** Accepted when the point was begun. */
  readonly count: number;
  readonly happens: (type: string) => Promise<unknown>;
}

export interface PayoutOptions {
  readonly payouts: number;
  /** How often every point is struck. */
  readonly kills: number;
  readonly atOnce: number;
  readonly seed: number;
  /** One in so many requests of the rail is cut off; 0 is none. */
  readonly chaos: number;
}

export interface PayoutFigures {
  readonly payouts: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly completed: number;
  readonly errors: number;
  /** What is wrong; empty when everything held. */
  readonly wrong: readonly string[];
}

export async function payoutsOverEfi(
  database: TestDatabase,
  { payouts, kills, atOnce, seed, chaos }: PayoutOptions,
  say: (line: string) => void = () => undefined,
): Promise<PayoutFigures> {
  const random = new Random(seed);
  const authority = testAuthority('Efí authority');
  const psp = await EfiPsp.start(authority);
  const settings = {
    ...efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-notifications-address-1234'),
    EFI_PAYMENTS_AT_ONCE: String(atOnce),
    EFI_PAYMENT_TURN_SECONDS: '2',
    // The stand-in's look-up does not lag. After a kill a refusal may be for the repetition: it waits for this.
    EFI_LOOKUP_LAG_SECONDS: '2',
  };
  let service: Service = await startService(database.url, settings);
  const partner = await new OperatorApi(service.url).partner(['1000000.00']);
  const receiver = await PartnerReceiver.start([partner.webhookSecret]);
  const session = await PartnerApi.login(service.url, partner.credentials);
  await eventually(() => psp.webhookUrl());
  await psp.callbacks({ to: service.url });
  await psp.behave({ failsOneIn: 11, endsAfterMs: 3 });
  await psp.chaos(chaos);

  const ids: string[] = [];
  let asked = 0;
  const killed: Record<string, number> = {};
  /** With one key until it is answered: a payout whose answer was lost is not a second one. */
  const payOut = async (number: number) => {
    const value = number % 50 === 7 ? REFUSED_AMOUNT : `${1 + (number % 5)}.10`;
    const key = { type: 'EMAIL', value: number % 40 === 3 ? KEYS.nobody : 'maria@example.com' };
    const body = {
      payment: { value, key, recipient: { name: 'Maria Silva', cpf: '52998224725' } },
      transaction: { orderId: `pedido-${number}` },
      webhook: { url: receiver.url('/hook') },
    };
    const answer = await eventually(
      async () => {
        const told = await session
          .on(service.url)
          .post('/accounts/pix/cashout', body, { 'idempotency-key': `k-${number}` });
        return told.status === 201 && told;
      },
      { within: 60_000, every: 50 },
    );
    ids.push(answer.body.data.transaction.id);
  };
  const upTo = async (goal: number) => {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (asked < goal) await payOut((asked += 1));
      }),
    );
  };
  const happens = async (type: string) => {
    const count = async () =>
      (await database.query<{ n: number }>(`select count(*)::int as n from event where type = $1`, [type]))[0]!.n;
    const before = await count();
    return eventually(async () => (await count()) > before, SHORT);
  };
  const strike = async (point: string) => {
    await POINTS[point]!({ psp, accepted: () => ids.length, count: ids.length, happens });
    await new Promise((resume) => setTimeout(resume, random.whole(0, AFTER_MS)));
    await service.kill('SIGKILL');
    killed[point] = (killed[point] ?? 0) + 1;
    await psp.forgetFaults();
    await psp.behave({ ends: 'REALIZADO' });
    await psp.endAll('REALIZADO');
    // Whoever held them is dead: as the time would, without waiting for it.
    await database.query(`update work set leased_until = now() - interval '1 second' where leased_until is not null`);
    service = await startService(database.url, settings);
    await psp.callbacks({ to: service.url });
  };

  try {
    const strikes = Array.from({ length: kills }, () => Object.keys(POINTS)).flat();
    for (const [i, point] of strikes.entries()) {
      const goal = Math.ceil(((i + 1) * payouts) / strikes.length);
      const traffic = upTo(goal);
      await strike(point);
      await traffic;
      say(`${i + 1} of ${strikes.length}: ${point}; ${ids.length} payouts accepted`);
    }
    await psp.chaos(0);
    await eventually(
      async () => {
        const open = `select id from transaction where type = 'CashOut' and state = 'Registered'`;
        await database.query(`update work set due_at = now() where kind = 'pix-send-payment' and due_at > now()`);
        return (await database.query(open)).length === 0;
      },
      { within: 60_000 + payouts * 50, every: 500 },
    );
    return { ...(await compared(database, psp, ids)), payouts: ids.length, kills: killed };
  } finally {
    await service.stop();
    await receiver.stop();
    await psp.close();
  }
}

/** Every payout, and the sums, on both sides. */
async function compared(database: TestDatabase, psp: EfiPsp, ids: readonly string[]) {
  const wrong: string[] = [];
  const sent = await psp.sent();
  const atPsp = new Map(sent.map((one) => [one.idEnvio, one]));
  const rows = await database.query<{ id: string; state: string; end_to_end_id: string | null; sent_as: string }>(
    `select id, state, end_to_end_id, details->'sentAs'->>'paymentId' as sent_as
    from transaction where type = 'CashOut'`,
  );
  if (new Set(ids).size !== ids.length) wrong.push('two answers name one payout');
  if (rows.length !== ids.length) wrong.push(`${rows.length} payouts in the ledger, ${ids.length} accepted`);
  for (const { id, state, end_to_end_id: endToEndId, sent_as: sentAs } of rows) {
    const there = atPsp.get(sentAs);
    atPsp.delete(sentAs);
    const isPaid = there?.status === 'REALIZADO';
    if (isPaid !== (state === 'Completed'))
      wrong.push(`${id} is ${state}, and at the PSP ${there?.status ?? 'nothing'}`);
    if (there && there.endToEndId !== endToEndId)
      wrong.push(`${id} is ${endToEndId}, and at the PSP ${there.endToEndId}`);
  }
  for (const idEnvio of atPsp.keys()) wrong.push(`the PSP has ${idEnvio}, which nobody ordered`);
  // The movements follow the log.
  await eventually(async () => {
    const [seen] = await database.query<{ all: boolean }>(`
      select (select count(*) from pix_movement where kind = 'PaymentOut')
        = (select count(*) from event where type = 'CashOutCompleted') as all`);
    return seen!.all;
  });
  const [books] = await database.query<{ settled: string; held: string; endings: string }>(`
    select
      (select coalesce(sum(amount), 0) from pix_movement where kind = 'PaymentOut')::text as settled,
      (select coalesce(sum(held), 0) from account)::text as held,
      (select count(*) from event where type in ('CashOutCompleted', 'CashOutErrored'))::text as endings`);
  const paid = sent.filter(({ status }) => status === 'REALIZADO');
  const atTheirs = paid.reduce((sum, { valor }) => sum + Math.round(Number(valor) * 100), 0);
  if (Number(books!.settled) !== atTheirs) wrong.push(`${books!.settled} left here, ${atTheirs} there`);
  if (books!.held !== '0') wrong.push(`${books!.held} is still held`);
  if (Number(books!.endings) !== rows.length) wrong.push(`${books!.endings} endings of ${rows.length} payouts`);
  await assertLedgerSound(database).catch((error: unknown) => wrong.push((error as Error).message));
  const completed = rows.filter(({ state }) => state === 'Completed').length;
  return { wrong, completed, errors: rows.length - completed };
}
