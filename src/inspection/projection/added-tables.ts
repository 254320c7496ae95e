import { type AddedTables, type AddToSum, checkpointOf, digestOf, type EventFold } from '../../event-store/index.js';
import { type Change, changesOf } from './changes.js';
import { type Arrival, totalsOf } from './totals.js';

const COUNTS = 'transaction_total.count';
const AMOUNTS = 'transaction_total.amount';
const SUBJECTS = 'transaction_subject';
/** Arrivals that are gathered before they are added: most of them are of one minute. */
const GATHERED = 2_000;

/** What later events of a payment need to know of it. */
type Payment = Pick<Arrival, 'type' | 'amount' | 'registeredAt'> & { readonly subjects: readonly string[] };

/** The totals, and who is on the other side of which transaction. */
export const addedTables: AddedTables<Change> = {
  sums: [COUNTS, AMOUNTS, SUBJECTS],

  readTables: (partition, key) => ({
    name: 'transaction-added-sums',
    text: `
      select
        ${checkpointOf('transaction-search')} as position,
        coalesce(t.counts, 0)::text as "${COUNTS}", coalesce(t.amounts, 0)::text as "${AMOUNTS}",
        (select coalesce(sum(${digestOf(`subject::text || '/' || id`)}), 0)::text
          from transaction_subject where partition = $1) as "${SUBJECTS}"
      from (
        select sum(digest * count) as counts, sum(digest * amount) as amounts
        from (
          select count, amount, ${digestOf(TOTAL_TEXT)} as digest from transaction_total where partition = $1) as d
      ) as t`,
    values: [partition, key],
  }),

  adding: (add) => {
    let arrivals: Arrival[] = [];
    const finish = () => {
      addTotals(arrivals, add);
      arrivals = [];
    };
    const arrive = (arrival: Arrival) => {
      if (arrivals.push(arrival) === GATHERED) finish();
    };
    return {
      take: ({ created, state, time, subjects }) => {
        // A transfer is complete with its event.
        if (created?.type !== 'Transfer' || subjects.length > 0) return false;
        const { type, amount, registeredAt } = created;
        if (state !== undefined) arrive({ type, state, amount, at: time, registeredAt });
        return true;
      },
      fold: paymentFold(arrive, add),
      finish,
    };
  },
};

/** An event's change needs what the payment was registered with; of each pair the table has one row. */
function paymentFold(arrive: (arrival: Arrival) => void, add: AddToSum): EventFold<Payment> {
  return {
    name: 'transaction-added',
    keysOf: (event) => changesOf(event).map(({ id }) => id),
    evolve: (before, event, id) => {
      const { created, state, time, subjects } = changesOf(event)[0]!;
      const payment = created ? { ...created, subjects: [] as string[] } : before;
      if (!payment) throw new TypeError('its transaction was never registered');
      const { type, amount, registeredAt } = payment;
      if (state !== undefined) arrive({ type, state, amount, at: time, registeredAt });
      const others = subjects.filter((subject) => !payment.subjects.includes(subject));
      for (const subject of others) add(SUBJECTS, `${subject}/${id}`, 1n);
      return { type, amount, registeredAt, subjects: [...payment.subjects, ...others] };
    },
  };
}

/** As `addTotals` names them. */
const TOTAL_TEXT = `step || '/' || (extract(epoch from at) * 1000)::bigint || '/' || type || '/' || state || '/' || latency`;

function addTotals(arrivals: readonly Arrival[], add: AddToSum): void {
  for (const { step, at, type, state, latency, count, amount } of totalsOf(arrivals)) {
    const text = `${step}/${at.getTime()}/${type}/${state}/${latency}`;
    add(COUNTS, text, BigInt(count));
    add(AMOUNTS, text, amount);
  }
}
