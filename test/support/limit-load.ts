import { type Answer, type PartnerApi } from './api.js';

export interface Offered {
  readonly accepted: number;
  readonly refused: number;
  readonly seconds: number;
  /** What a limit over all processes lets through in that time: a second's worth at once, and what comes back. */
  readonly allowed: number;
}

/**
 * As many requests of one access key as a number of clients can send in a while, each as soon as its last is answered.
 * @param targets where each next request goes, in turn: a process that is named more often gets more
 */
export async function offerAll(
  session: PartnerApi,
  targets: readonly string[],
  rate: number,
  { seconds, clients = 16 }: { seconds: number; clients?: number },
): Promise<Offered> {
  const began = performance.now();
  const counts = { accepted: 0, refused: 0 };
  let next = 0;
  const client = async () => {
    while (performance.now() - began < seconds * 1000) {
      const { status }: Answer = await session.on(targets[next++ % targets.length]!).get('/accounts');
      if (status === 200) counts.accepted += 1;
      else if (status === 429) counts.refused += 1;
      else throw new Error(`neither taken nor refused: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - began) / 1000;
  return { ...counts, seconds: took, allowed: rate * (1 + took) };
}
