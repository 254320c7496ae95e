import { eventually } from '../../support/eventually.js';
import type { World } from './world.js';

/** Timers of the service that never end, or end when a deposit was not paid. */
const TIMERS = `('pix-sweep', 'med-sweep', 'pix-reconcile', 'pix-expire-cash-in')`;
const WITHIN_MS = 60_000;

/** Brings forward what waits for a later try, as the time would: a round need not sit out the pauses of a minute. */
async function hurry({ database }: World): Promise<void> {
  await database.query(`update work set due_at = now() where due_at > now() and kind not in ${TIMERS}`);
  await database.query(`update sandbox.task set due_at = now() where due_at > now() + interval '2 seconds'`);
}

/** What is still under way, by name. */
function underWay({ database }: World): Promise<{ what: string; count: string }[]> {
  return database.query(`
    select 'follower ' || c.consumer as what, sum(h.position - coalesce(s.position, 0)) as count
      from log_head h
      cross join (select distinct consumer from subscription) c
      left join subscription s on s.partition = h.partition and s.consumer = c.consumer
      where coalesce(s.position, 0) < h.position group by c.consumer
    union all
    select 'work ' || kind, count(*) from work where kind not in ${TIMERS} group by kind
    union all
    select 'task ' || kind, count(*) from sandbox.task group by kind
    union all
    select 'delivery ' || status, count(*) from webhook_delivery where status in ('Pending', 'Retrying') group by status
    union all
    select type, count(*) from transaction
    where (type in ('CashOut', 'Refund') and state = 'Registered') or state = 'Scheduled' group by type
    union all
    select 'payout file', count(*) from payout_file where ended_at is null having count(*) > 0`);
}

/**
 * Waits until nothing moves any more: followers are at the end of the log, nothing waits for the rail or the receiver.
 * @throws naming what does not come to an end
 */
export async function untilQuiet(world: World): Promise<void> {
  let left: { what: string; count: string }[] = [];
  await eventually(
    async () => {
      left = await underWay(world);
      if (left.length === 0) return true;
      await hurry(world);
      return false;
    },
    { within: WITHIN_MS, every: 150 },
  ).catch((error: unknown) => {
    const what = left.map((one) => `${one.what}: ${one.count}`).join(', ');
    throw new Error(what ? `not quiet within ${WITHIN_MS} ms: ${what}` : String(error), { cause: error });
  });
}
