import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, PartnerApi } from './api.js';

export interface Offered {
  readonly accepted: number;
  readonly refused: number;
  readonly seconds: number;
  /** What a limit over all processes lets through in that time: a second's worth at once, and what comes back. */
  readonly allowed: number;
}

export interface Offer {
  readonly seconds: number;
  readonly clients?: number;
  /** That a request counts as. */
  readonly items?: number;
  /** At most so many: a limit refuses the rest of a few times itself as it does all that a machine can send. */
  readonly perSecond?: number;
  /** Must hold when it ends: the load goes on for it, for four times the seconds at most. */
  readonly until?: (soFar: Offered) => boolean;
}

/**
 * A request that is counted and asks no database: its body is refused, so that the limit is all that it meets. One of
 * several items counts as so many.
 */
export function ask(session: PartnerApi, url: string, items = 1): Promise<Answer> {
  const there = session.on(url);
  if (items === 1) return there.post('/accounts/transfer', {});
  return there.post('/accounts/transfers/batch', { items: Array<object>(items).fill({}) });
}

/** Such requests, each to the next of the targets: a process that is named more often gets more. */
export function inTurn(session: PartnerApi, targets: readonly string[], items = 1): (i: number) => Promise<Answer> {
  return (i) => ask(session, targets[i % targets.length]!, items);
}

/** Lets its callers go on one after the other, that many a second. */
function pace(perSecond: number): () => Promise<void> {
  const began = performance.now();
  let turns = 0;
  return async () => {
    const early = began + (turns++ * 1000) / perSecond - performance.now();
    if (early > 0) await delay(early);
  };
}

/**
 * As many requests of one limit as a number of clients can send in a while, each as soon as its last is answered.
 * @param request is answered 400 or 401, or 429
 * @param rate of the limit
 */
export async function offerAll(
  request: (i: number) => Promise<Answer>,
  rate: number,
  { seconds, clients = 16, items = 1, perSecond = Infinity, until = () => true }: Offer,
): Promise<Offered> {
  const began = performance.now();
  const turn = pace(perSecond);
  const counts = { accepted: 0, refused: 0 };
  const offered = (): Offered => {
    const took = (performance.now() - began) / 1000;
    return { ...counts, seconds: took, allowed: rate * (1 + took) };
  };
  const isOver = () => {
    const soFar = offered();
    return soFar.seconds >= 4 * seconds || (soFar.seconds >= seconds && until(soFar));
  };
  let next = 0;
  const client = async () => {
    while (!isOver()) {
      await turn();
      const { status } = await request(next++);
      if (status === 400 || status === 401) counts.accepted += items;
      else if (status === 429) counts.refused += items;
      else throw new Error(`neither taken nor refused: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return offered();
}
