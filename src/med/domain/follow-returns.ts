import { type LoadedRows, type NewEvent, RowsWanted } from '../../event-store/index.js';
import { RefundCompleted, RefundErrored } from '../../pix/index.js';
import { earlier, lastReturnOf, pauseAfter } from './deadlines.js';
import { next, of } from './infraction.decider.js';
import { MedReturnCompleted, MedReturnErrored } from './infraction.events.js';
import { type Infraction, streamOfInfraction } from './infraction.js';

interface EndedReturn {
  readonly id: string;
  readonly partnerUid: string;
  readonly amount: string;
  readonly infractionId?: string;
  readonly reason?: string;
}

/**
 * The end of a return belongs to its case: it is in the commit of the refund's end, whoever brought that.
 * @throws RowsWanted for the case, where it was not read
 */
export function followReturns(made: readonly NewEvent[], rows: LoadedRows, at: Date): readonly NewEvent[] {
  const followed: NewEvent[] = [];
  for (const { type, data } of made) {
    if (type !== RefundCompleted.type && type !== RefundErrored.type) continue;
    const { id: refundId, partnerUid, amount, infractionId, reason } = data as EndedReturn;
    if (infractionId === undefined) continue;
    const infraction = rows.of<Infraction>('infractions').get(infractionId);
    if (!infraction) throw new RowsWanted({ infractions: [infractionId] });
    const common = { ...of(infraction, partnerUid), refundId, amount };
    // The command may have brought the case on itself.
    const place = next(
      infraction,
      1 + made.filter(({ stream }) => stream === streamOfInfraction(infraction.id)).length,
    );
    followed.push(
      type === RefundCompleted.type
        ? MedReturnCompleted.create(...place, common)
        : MedReturnErrored.create(...place, {
            ...common,
            reason: reason!,
            retryAt: retryAt(infraction, at),
          }),
    );
  }
  return followed;
}

/** At once where the case has ended: the money is only to be released. Once more before the end of the ninety days. */
function retryAt(infraction: Infraction, at: Date): string {
  const { status, refusals } = infraction;
  if (status !== 'Agreed') return at.toISOString();
  const [last, after] = [lastReturnOf(infraction), new Date(at.getTime() + pauseAfter(refusals + 1))];
  return (at < last ? earlier(last, after) : after).toISOString();
}
