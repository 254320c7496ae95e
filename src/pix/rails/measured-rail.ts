import type { Tracing } from '../../platform/observability/tracing/index.js';
import type { PixMetrics } from '../pix-metrics.js';
import { type PixRail, RailUnavailable } from './pix-rail.js';

const LONGEST_MS = 10_000;

/**
 * A rail whose every call is counted, traced where traces are on, and ends in time: one that does not answer is `RailUnavailable`, which says that
 * whatever was asked for may have happened or not.
 */
export function measuredRail(rail: PixRail, metrics: PixMetrics, { tracer }: Tracing, longest = LONGEST_MS): PixRail {
  const measured = async <T>(operation: string, run: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const tell = (outcome: string) => metrics.call(operation, outcome, (performance.now() - started) / 1000);
    try {
      const result = await inTime(run(), longest);
      tell(outcomeOf(result));
      return result;
    } catch (error) {
      tell(error instanceof RailUnavailable ? 'Unavailable' : 'Failed');
      throw error;
    }
  };
  const call = <T>(operation: string, run: () => Promise<T>): Promise<T> =>
    tracer
      ? tracer.span(
          `rail ${operation}`,
          { kind: 'client', attributes: { 'payments.rail': rail.name } },
          async (span) => {
            const result = await measured(operation, run);
            span.set({ 'payments.rail_outcome': outcomeOf(result) });
            return result;
          },
        )
      : measured(operation, run);
  return {
    name: rail.name,
    capabilities: rail.capabilities,
    lookUpKey: (key) => call('lookUpKey', () => rail.lookUpKey(key)),
    send: (instruction) => call('send', () => rail.send(instruction)),
    query: (paymentId) => call('query', () => rail.query(paymentId)),
    createCharge: (charge) => call('createCharge', () => rail.createCharge(charge)),
    cancelCharge: (txid) => call('cancelCharge', () => rail.cancelCharge(txid)),
    ...(rail.isPaidBy && { isPaidBy: (...asked) => call('isPaidBy', () => rail.isPaidBy!(...asked)) }),
    refund: (instruction) => call('refund', () => rail.refund(instruction)),
    queryRefund: (refund) => call('queryRefund', () => rail.queryRefund(refund)),
    ...(rail.balance && { balance: () => call('balance', () => rail.balance!()) }),
    receivedBetween: (...interval) => call('receivedBetween', () => rail.receivedBetween(...interval)),
    movementsBetween: (...interval) => call('movementsBetween', () => rail.movementsBetween(...interval)),
  };
}

async function inTime<T>(answer: Promise<T>, longest: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RailUnavailable('the rail did not answer in time')), longest);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf(result: unknown): string {
  if (typeof result !== 'object' || result === null) return 'Done';
  if ('status' in result) return result.status as string;
  if ('found' in result) return result.found ? 'Found' : 'NotFound';
  return 'Done';
}
