import type { KeptRow, KeptRows } from '../../event-store/index.js';
import { deliveriesOf } from './deliveries-of.js';
import { type DeliverySeals, parseState, STATE_COLUMNS } from './delivery-seals.js';
import { changedTransaction } from '../domain/change-of-state.js';
import { originKeyOf, type NewDelivery } from '../domain/delivery.js';
import { leftUnsealed, sealDeliveries, UNSEALED_UP_TO } from './unsealed-deliveries.js';

/** Columns that are as the event has them; so is `material`. */
const OF_EVENT = [
  ...['position', 'chain', 'transaction_id', 'transaction_state', 'type', 'account_uid', 'partner_uid', 'lane', 'url'],
  ...['header_name', 'header_secret'],
];
const SEALED = 'one that its seal fits';

/**
 * The fields of a delivery that follow from its event: receiver and content. Its attempts are not in the log, but what
 * came of them is sealed.
 */
export const keptDeliveries = (seals: DeliverySeals): KeptRows => ({
  name: 'webhook deliveries',
  expected: async (run, partition, events) => (await deliveriesOf(run, partition, events)).map(toRow),

  sourceOf: (event) => {
    const id = changedTransaction(event);
    return id === undefined ? undefined : `transactions ${id}`;
  },

  load: (partition, keys) => ({
    name: 'webhook-kept',
    text: `
      select ${STATE_COLUMNS}, ${OF_EVENT.join(', ')}, material, ${UNSEALED_UP_TO}
      from webhook_delivery where partition = $1 and id = any($2::uuid[])`,
    values: [partition, keys],
  }),
  parse: (row) => {
    const state = parseState(row);
    const isSealed = seals.fits(state);
    const untold = isSealed ? undefined : leftUnsealed(state, row);
    return {
      key: state.id,
      ...(untold !== undefined && { untold }),
      fields: {
        ...Object.fromEntries(OF_EVENT.map((name) => [name, row[name] as string | null])),
        ...membersOf(row.material as Material),
        status: isSealed || untold !== undefined ? SEALED : `${state.status} after ${state.tries} tries`,
      },
    };
  },

  count: (partition, afterKey, upTo, limit) => ({
    name: 'webhook-kept-count',
    text: `
      with page as (
        select id, position from webhook_delivery
        where partition = $1 and id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
        order by id limit $4)
      select count(*) filter (where position <= $3)::int as counted, count(*)::int as seen, max(position) as newest,
        (select id::text from page order by id desc limit 1) as last
      from page`,
    values: [partition, afterKey, upTo, limit],
  }),

  seal: (run, partition, upTo) => sealDeliveries(seals, run, partition, upTo),
});

function toRow(delivery: NewDelivery): KeptRow {
  const { id, position } = delivery;
  return {
    key: id,
    position,
    fields: {
      position: String(position),
      transaction_id: delivery.transactionId,
      transaction_state: delivery.transactionState,
      type: delivery.type,
      account_uid: delivery.accountUid,
      ...sentFields(delivery),
      status: SEALED,
    },
  };
}

type Sent = Pick<NewDelivery, 'chain' | 'partnerUid' | 'url' | 'header' | 'material'> & { readonly originKey?: string };

/** Those that say to whom it is sent, and what. */
export function sentFields({ chain, partnerUid, originKey, url, header, material }: Sent): KeptRow['fields'] {
  return {
    chain,
    partner_uid: partnerUid,
    lane: originKey ?? originKeyOf(partnerUid, url),
    url,
    header_name: header?.name ?? null,
    header_secret: header?.secretId ?? null,
    ...membersOf(material),
  };
}

type Material = NewDelivery['material'] & { readonly fields?: EarlierFields };

interface EarlierFields {
  readonly id: string;
  readonly transactionReceipt?: string;
}

/** Field by field: an earlier version may have written fewer. */
function membersOf({ fields, ...others }: Material): Record<string, string> {
  const named = (prefix: string, members: object) =>
    Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, JSON.stringify(value)] as const);
  const ofFields = fields ? withReceiptToken(fields) : {};
  return Object.fromEntries([...named('material', others), ...named('material.fields', ofFields)]);
}

/** The first versions wrote the receipt's address, which ended with its token, or nothing. */
function withReceiptToken(fields: EarlierFields): object {
  const { transactionReceipt, ...others } = fields;
  if (transactionReceipt === undefined) return fields;
  if (transactionReceipt === '') return { ...others, receiptToken: null };
  const [before, token] = transactionReceipt.split(`/pix/receipts/${fields.id}/`);
  return before && token ? { ...others, receiptToken: token } : fields;
}
