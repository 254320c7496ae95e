import { type AddedTables, type AddToSum, checkpointOf, digestOf, type EventFold } from '../../event-store/index.js';
import { AT_ONCE, type Change, changesOf, isAtOnce, type SearchRow } from './changes.js';
import { type Transition, totalsOf } from './totals.js';

const COUNTS = 'transaction_total.count';
const AMOUNTS = 'transaction_total.amount';
const SUBJECTS = 'transaction_subject';
const STATES = 'transaction_search.state';
/** Transitions summed in one batch: most of them are of one minute. */
const BATCH = 2_000;

/** The state of a payment that its later events need. */
type Payment = Omit<SearchRow, 'partnerUid' | 'orderId' | 'refundOf' | 'position'> & {
  readonly subjects: readonly string[];
};

/** The totals, the counterparties of transactions, and what changes in the search's rows. */
export const addedTables: AddedTables<Change> = {
  sums: [COUNTS, AMOUNTS, SUBJECTS, STATES],

  readTables: (partition, key) => ({
    name: 'transaction-added-sums',
    text: `
      select
        ${checkpointOf('transaction-search')} as position,
        coalesce(t.counts, 0)::text as "${COUNTS}", coalesce(t.amounts, 0)::text as "${AMOUNTS}",
        (select coalesce(sum(${digestOf(`subject::text || '/' || id`)}), 0)::text
          from transaction_subject where partition = $1) as "${SUBJECTS}",
        (select coalesce(sum(${digestOf(STATE_TEXT)}), 0)::text
          from transaction_search where partition = $1 and not (${AT_ONCE})) as "${STATES}"
      from (
        select sum(digest * count) as counts, sum(digest * amount) as amounts
        from (
          select count, amount, ${digestOf(TOTAL_TEXT)} as digest from transaction_total where partition = $1) as d
      ) as t`,
    values: [partition, key],
  }),

  adding: (add) => {
    let transitions: Transition[] = [];
    const finish = () => {
      addTotals(transitions, add);
      transitions = [];
    };
    const record = (transition: Transition) => {
      if (transitions.push(transition) === BATCH) finish();
    };
    return {
      take: ({ created, state, time, subjects }) => {
        // A transfer is complete with its first event, unless it was scheduled.
        if (created?.type !== 'Transfer' || state !== 'Completed' || subjects.length > 0) return false;
        const { type, amount, registeredAt } = created;
        record({ type, state, amount, at: time, registeredAt });
        return true;
      },
      fold: paymentFold(record, add),
      finish,
    };
  },
};

/** The change of an event needs the data of its registration; the table has one row for each pair of subject and id. */
function paymentFold(record: (transition: Transition) => void, add: AddToSum): EventFold<Payment> {
  return {
    name: 'transaction-added',
    keysOf: (event) => changesOf(event).map(({ id }) => id),
    evolve: (before, event, id) => {
      const { created, state, version, position, time, subjects } = changesOf(event)[0]!;
      const payment = created ? { ...created, changes: 0, subjects: [] as string[] } : before;
      if (!payment) throw new TypeError('its transaction was never registered');
      const { type, amount, registeredAt, scheduledFor } = payment;
      if (state !== undefined) record({ type, state, amount, at: time, registeredAt, scheduledFor });
      const others = subjects.filter((subject) => !payment.subjects.includes(subject));
      for (const subject of others) add(SUBJECTS, `${subject}/${id}`, 1n);
      const after = {
        ...{ id, type, amount, registeredAt, scheduledFor, version, state: state ?? payment.state },
        ...{ changes: payment.changes + 1, changedPosition: position, subjects: [...payment.subjects, ...others] },
      };
      if (before) addState(before, -1n, add);
      addState(after, 1n, add);
      return after;
    },
  };
}

/** The same text as in `addState`. */
const STATE_TEXT = `id || '/' || state || '/' || version || '/' || changes || '/' || changed_position`;

/** Of a row as one event leaves it; the next event takes that away again. */
function addState(row: Payment, weight: bigint, add: AddToSum): void {
  const { id, state, version, changes, changedPosition } = row;
  if (!isAtOnce(row)) add(STATES, `${id}/${state}/${version}/${changes}/${changedPosition}`, weight);
}

/** The same text as in `addTotals`. */
const TOTAL_TEXT = `step || '/' || (extract(epoch from at) * 1000)::bigint || '/' || type || '/' || state || '/' || latency`;

function addTotals(transitions: readonly Transition[], add: AddToSum): void {
  for (const { step, at, type, state, latency, count, amount } of totalsOf(transitions)) {
    const text = `${step}/${at.getTime()}/${type}/${state}/${latency}`;
    add(COUNTS, text, BigInt(count));
    add(AMOUNTS, text, amount);
  }
}
