import type { KeptStates } from '../../event-store/index.js';
import type { RetrySchedule } from '../../platform/outbound/retry-schedule.js';
import { WebhookRedeliveryRequested } from '../domain/webhook.events.js';

const HOUR_MS = 60 * 60 * 1000;
/** A lease lasts seconds: as for other work, a day and an hour tell what no clock explains. */
const LONGEST_LEASE_MS = 25 * HOUR_MS;
/** The jitter lengthens a step by a fifth. */
const LONGER = 1.2;
const FIRST = new Date(0);
const MOST_TOLD = 1_000;
const UNFINISHED = `status in ('Pending', 'Retrying')`;

/**
 * What must hold of deliveries, whatever their receivers answered: one that is not finished is due, or waits for an
 * earlier one of its chain that is, and one that is finished is not. A due time is no later than the longest pause.
 * @param schedule the pauses; a day is allowed in any case, as it is the usual longest
 */
export function deliveryStates(schedule: RetrySchedule): KeptStates {
  const longest = Math.max(24 * HOUR_MS, ...schedule) * LONGER + HOUR_MS;
  return {
    // What waits is compared by its chain's key: a join might read the backlog once for each row.
    wrong: (partition, at) => {
      const [latest, leased] = [new Date(at.getTime() + longest), new Date(at.getTime() + LONGEST_LEASE_MS)];
      return {
        name: 'webhook-states',
        text: `
          (select id as key, 'due_at' as field, 'a time, or an earlier one of its chain that has one' as expected,
            'nothing' as found
          from webhook_delivery w
          where partition = $1 and ${UNFINISHED} and due_at is null and w.position <= coalesce((
            select min(e.position) from webhook_delivery e
            where e.partition = $1 and e.chain = w.chain and e.${UNFINISHED} and e.due_at is not null), w.position)
          limit ${MOST_TOLD})
          union all
          (select id, case when leased_until > $3 and due_at between $4 and $2 and ${UNFINISHED}
              then 'leased_until' else 'due_at' end,
            case when not ${UNFINISHED} then 'nothing, as it is ' || status
              when due_at < $4 then 'at least ' || $7
              when due_at > $2 then 'at most ' || $5 else 'at most ' || $6 end,
            case when due_at between $4 and $2 and ${UNFINISHED} then leased_until else due_at end::text
          from webhook_delivery
          where partition = $1 and due_at is not null
            and (not ${UNFINISHED} or due_at < $4 or due_at > $2 or leased_until > $3)
          limit ${MOST_TOLD})`,
        values: [partition, latest, leased, FIRST, ...[latest, leased, FIRST].map((one) => one.toISOString())],
      };
    },
    mark: 'redelivery_position',
    markedBy: (event) => (WebhookRedeliveryRequested.is(event) ? event.data.deliveryId : undefined),
    marks: (partition, afterKey, limit) => ({
      name: 'webhook-redelivered',
      text: `
        with page as (
          select id, redelivery_position from webhook_delivery
          where partition = $1 and id > $2::uuid
          order by id limit $3)
        select id as key, redelivery_position as position from page
        where redelivery_position <> 0 or id = (select id from page order by id desc limit 1)
        order by id`,
      values: [partition, afterKey, limit],
    }),
  };
}
