import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type PartnerApi } from './api.js';

export interface Offered {
  readonly accepted: number;
  readonly refused: number;
  readonly seconds: number;
  /** What a limit over all processes lets through in that time: a second's worth at once, and what comes back. */
  readonly allowed: number;
}

/** A request that is counted and asks no database: its body is refused, so that the limit is all that it meets. */
export function ask(session: PartnerApi, url: string): Promise<Answer> {
  return session.on(url).post('/accounts/transfer', {});
}

/** Lets its callers go on one after the other, that many a second. */
export function pace(perSecond: number): () => Promise<void> {
  const began = performance.now();
  let turns = 0;
  return async () => {
    const early = began + (turns++ * 1000) / perSecond - performance.now();
    if (early > 0) await delay(early);
  };
}

/**
 * As many requests of one access key as a number of clients can send in a while, each as soon as its last is answered.
 * @param targets where each next request goes, in turn: a process that is named more often gets more
 * @param perSecond at most so many: a limit refuses the rest of a few times itself as it does all that a machine can send
 */
export async function offerAll(
  session: PartnerApi,
  targets: readonly string[],
  rate: number,
  { seconds, clients = 16, perSecond = Infinity }: { seconds: number; clients?: number; perSecond?: number },
): Promise<Offered> {
  const began = performance.now();
  const turn = pace(perSecond);
  const counts = { accepted: 0, refused: 0 };
  let next = 0;
  const client = async () => {
    while (performance.now() - began < seconds * 1000) {
      await turn();
      const { status } = await ask(session, targets[next++ % targets.length]!);
      if (status === 400) counts.accepted += 1;
      else if (status === 429) counts.refused += 1;
      else throw new Error(`neither taken nor refused: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - began) / 1000;
  return { ...counts, seconds: took, allowed: rate * (1 + took) };
}
