import type { QueryResultRow } from 'pg';
import { lockedInOrder, type RunStatement, type Statement } from '../../event-store/index.js';
import {
  type DeliverySeals,
  type DeliveryState,
  parseState,
  STATE_COLUMNS,
  type StoredState,
} from './delivery-seals.js';

const PAGE = 1_000;
const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

/** A column, `$1` being the partition: where the head was when deliveries came to be sealed; null once all are. */
export const UNSEALED_UP_TO = '(select up_to from unsealed_deliveries where partition = $1) as unsealed_up_to';

/**
 * What is said of a delivery that has no seal and is of events before there were any, the last redelivery too; nothing
 * of others. Only `verify` excuses it: whoever sends it does not believe its tries.
 * @param row with `position` and `UNSEALED_UP_TO`
 */
export function leftUnsealed({ seal, redeliveryPosition }: StoredState, row: QueryResultRow): string | undefined {
  const { position, unsealed_up_to: upTo } = row as { position: string; unsealed_up_to: string | null };
  if (seal !== null || upTo === null) return undefined;
  if (BigInt(position) > BigInt(upTo) || redeliveryPosition > BigInt(upTo)) return undefined;
  return (
    `of events up to ${upTo}, have no seal, as versions before left them: run \`ledger seal-deliveries\` once all ` +
    'workers are replaced'
  );
}

/**
 * Seals what versions before left without a seal, as it is; from then on none without a seal is excused. A service may
 * run meanwhile: what changes is left to whoever changes it. @returns how many
 */
export async function sealDeliveries(
  seals: DeliverySeals,
  run: RunStatement,
  partition: number,
  upTo: bigint,
): Promise<number> {
  let count = 0;
  for (let after = FIRST_KEY; ;) {
    const page = (await run(deliveriesAfter(partition, after, upTo))).map(parseState);
    const unsealed = page.filter((one) => !seals.fits(one));
    if (unsealed.length > 0) count += (await run(sealThem(partition, unsealed, seals))).length;
    if (page.length < PAGE) break;
    after = page.at(-1)!.id;
  }
  await run({
    name: 'webhook-all-sealed',
    text: 'delete from unsealed_deliveries where partition = $1',
    values: [partition],
  });
  return count;
}

function deliveriesAfter(partition: number, after: string, upTo: bigint): Statement {
  return {
    name: 'webhook-states-after',
    text: `
      select ${STATE_COLUMNS} from webhook_delivery
      where partition = $1 and id > $2::uuid and position <= $3 and redelivery_position <= $3
      order by id limit ${PAGE}`,
    values: [partition, after, upTo],
  };
}

function sealThem(partition: number, states: readonly DeliveryState[], seals: DeliverySeals): Statement {
  return {
    name: 'webhook-seal',
    text: `${lockedInOrder('webhook_delivery')}
      update webhook_delivery d set seal = n.seal
      from unnest($2::uuid[], $3::text[], $4::int[], $5::bigint[], $6::bytea[])
        as n (id, status, tries, redelivery_position, seal)
      where d.partition = $1 and d.id = any(array(select id from own)) and d.id = n.id
        and d.status = n.status and d.tries = n.tries and d.redelivery_position = n.redelivery_position
      returning d.id`,
    values: [
      partition,
      states.map(({ id }) => id),
      states.map(({ status }) => status),
      states.map(({ tries }) => tries),
      states.map(({ redeliveryPosition }) => redeliveryPosition),
      states.map((state) => seals.of(state)),
    ],
  };
}
