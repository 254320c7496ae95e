import { uuidOfTxid } from '../../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi } from '../../support/api.js';
import { testAuthority } from '../../support/certificates.js';
import type { TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { bcbSettings, ModelPsp } from '../../support/model-psp.js';
import { MovingClock } from '../../support/moving-clock.js';
import { PartnerReceiver } from '../../support/partner-receiver.js';
import { type Service, startService } from '../../support/service.js';
import { compared } from './deposit-books.js';
import { DepositPlays, POINTS } from './deposit-plays.js';
import { Random } from './random.js';

/** Deposits and refunds over the API Pix, by two processes that are killed at every call of the PSP. */

const CLIENTS = 12;
const PROCESSES = 2;
/** Longer than a payment waits for its deposit, which may not be in the ledger yet. */
const AHEAD_MS = 120_000;
const SOON = { within: 60_000, every: 2 };
/** From the end of the traffic until the books must agree. */
const LONGEST_MS = 60_000;

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

  const plays = new DepositPlays({
    ...{ psp, session, random, chaos },
    webhookUrl: receiver.url('/hook'),
    anyService: () => random.pick(services).url,
  });
  let killed = 0;

  const upTo = (goal: number) =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (plays.asked < goal) await plays.step();
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
    // The next such call meets this, and no fault that was announced before.
    psp.forgetFaults();
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
      while (!reached) await Promise.all([plays.step(play), hasten()]);
    })();
    if (isCarriedOut) await eventually(() => reached, SOON);
    else await eventually(() => met() > before, SOON).then(stop);
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
      say(`${i + 1} of ${strikes.length}: ${point}${isCarriedOut ? ', and done' : ''}; ${plays.ids.length} deposits`);
    }
    psp.forgetFaults();
    psp.books.refunds = 'DEVOLVIDO';
    // Charges whose requests were never answered: a partner asked again, and got another one. Some are paid all the
    // same.
    const known = new Set(plays.ids);
    for (const txid of psp.books.cobs.keys())
      if (!known.has(uuidOfTxid(txid)!) && random.chance(0.5)) psp.books.pay(txid);
    await clock.jumpTo(AHEAD_MS);
    let found = await compared(database, psp, plays);
    for (const until = Date.now() + LONGEST_MS; found.wrong.length > 0 && Date.now() < until;) {
      await hasten();
      await new Promise((resume) => setTimeout(resume, 1_000));
      found = await compared(database, psp, plays);
    }
    return { deposits: plays.ids.length, kills: killed, ...found };
  } finally {
    for (const service of services) await service.stop();
    await receiver.stop();
    await clock.remove();
    await psp.close();
  }
}
