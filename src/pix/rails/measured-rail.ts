import { Logger } from '@nestjs/common';
import { inTime } from '../../platform/in-time.js';
import type { Tracing } from '../../platform/observability/tracing/index.js';
import type { PixMetrics } from '../pix-metrics.js';
import type { InfractionRail } from './infraction-rail.js';
import type { PixRail } from './pix-rail.js';
import { ChargeRefused, RailUnavailable } from './rail-errors.js';

const TIMEOUT_MS = 10_000;
const logger = new Logger('Rail');

type Measured = <T>(operation: string, run: () => Promise<T>) => Promise<T>;

/** Counts, times and bounds calls of a rail, and traces them where traces are on. */
function measuring(rail: string, metrics: PixMetrics, { tracer }: Tracing): Measured {
  const measured: Measured = async (operation, run) => {
    const started = performance.now();
    const record = (outcome: string) => metrics.call(operation, outcome, (performance.now() - started) / 1000);
    try {
      const result = await inTime(run(), TIMEOUT_MS, () => new RailUnavailable('the rail did not answer in time'));
      record(outcomeOf(result));
      return result;
    } catch (error) {
      record(failureOf(error));
      // Here an operator learns why a payout waits: the callers try again.
      if (error instanceof RailUnavailable) logger.warn({ operation, err: error }, 'the call of the PSP failed');
      throw error;
    }
  };
  if (!tracer) return measured;
  return (operation, run) =>
    tracer.span(`rail ${operation}`, { kind: 'client', attributes: { 'payments.rail': rail } }, async (span) => {
      const result = await measured(operation, run);
      span.set({ 'payments.rail_outcome': outcomeOf(result) });
      return result;
    });
}

/**
 * A rail whose calls are counted, timed, traced where traces are on, and bounded in time: a call without an answer
 * throws `RailUnavailable`, after which its effect is unknown.
 */
export function measuredRail(rail: PixRail, metrics: PixMetrics, tracing: Tracing): PixRail {
  const call = measuring(rail.name, metrics, tracing);
  return {
    name: rail.name,
    ...(rail.psp !== undefined && { psp: rail.psp }),
    capabilities: rail.capabilities,
    lookUpKey: (key) => call('lookUpKey', () => rail.lookUpKey(key)),
    send: (...sent) => call('send', () => rail.send(...sent)),
    query: (paymentId) => call('query', () => rail.query(paymentId)),
    createCharge: (charge) => call('createCharge', () => rail.createCharge(charge)),
    cancelCharge: (txid) => call('cancelCharge', () => rail.cancelCharge(txid)),
    ...(rail.isPaidBy && { isPaidBy: (...asked) => call('isPaidBy', () => rail.isPaidBy!(...asked)) }),
    refund: (...sent) => call('refund', () => rail.refund(...sent)),
    queryRefund: (refund) => call('queryRefund', () => rail.queryRefund(refund)),
    ...(rail.balance && { balance: () => call('balance', () => rail.balance!()) }),
    receivedBetween: (...interval) => call('receivedBetween', () => rail.receivedBetween(...interval)),
    movementsBetween: (...interval) => call('movementsBetween', () => rail.movementsBetween(...interval)),
  };
}

/** The same for its side of the MED. */
export function measuredInfractionRail(rail: InfractionRail, metrics: PixMetrics, tracing: Tracing): InfractionRail {
  const call = measuring(rail.name, metrics, tracing);
  return {
    name: rail.name,
    ...(rail.psp !== undefined && { psp: rail.psp }),
    capabilities: rail.capabilities,
    infractionsBetween: (...interval) => call('infractionsBetween', () => rail.infractionsBetween(...interval)),
    sendDefence: (...told) => call('sendDefence', () => rail.sendDefence(...told)),
    close: (...told) => call('closeInfraction', () => rail.close(...told)),
    requestRecovery: (instruction) => call('requestRecovery', () => rail.requestRecovery(instruction)),
    queryRecovery: (recoveryId) => call('queryRecovery', () => rail.queryRecovery(recoveryId)),
    ...(rail.ownReturns && { ownReturns: (endToEndId) => call('ownReturns', () => rail.ownReturns!(endToEndId)) }),
  };
}

/** A charge that was refused had an answer: a partner may ask for one that no PSP takes. */
function failureOf(error: unknown): string {
  if (error instanceof ChargeRefused) return 'Refused';
  return error instanceof RailUnavailable ? 'Unavailable' : 'Failed';
}

function outcomeOf(result: unknown): string {
  if (typeof result !== 'object' || result === null) return 'Done';
  if ('status' in result) return result.status as string;
  if ('found' in result) return result.found ? 'Found' : 'NotFound';
  return 'Done';
}
