import { TRANSACTION_STATES, TRANSACTION_TYPES } from '../../accounts/index.js';
import type { Statement } from '../../event-store/index.js';
import { idsOf, timesOf, type Window } from './window.js';

/** A partition's transactions, all or a partner's: the newest of each kind and state, each from its index, merged. */
export function newestOfKinds(partition: number, window: Window): Statement {
  const { partnerUid, limit } = window;
  const kinds = kindsOf(window);
  const { low, high } = idsOf(window);
  return {
    name: partnerUid === undefined ? 'search-kinds' : 'search-partner-kinds',
    text: `
      select s.id, s.position, false as edge
      from unnest($2::text[], $3::text[]) as k (type, state)
      cross join lateral (
        select id, position from transaction_search
        where partition = $1 and type = k.type and state = k.state
          ${partnerUid === undefined ? '' : 'and partner_uid = $9'}
          and id < $4::uuid and id >= $5::uuid and registered_at >= $6 and registered_at < $7
        order by id desc limit $8) s
      order by s.id desc limit $8`,
    values: [
      partition,
      kinds.map(([type]) => type),
      kinds.map(([, state]) => state),
      high,
      low,
      ...timesOf(window),
      limit,
      ...(partnerUid === undefined ? [] : [partnerUid]),
    ],
  };
}

function kindsOf({ type, state }: Window): [string, string][] {
  const types = TRANSACTION_TYPES.filter((one) => type === undefined || one === type);
  const states = TRANSACTION_STATES.filter((one) => state === undefined || one === state);
  const all = types.flatMap((one) => states.map((other): [string, string] => [one, other]));
  // A transfer is completed from the start.
  return all.filter(([one, other]) => one !== 'Transfer' || other === 'Completed');
}
