import { assertLedgerSound } from '../../support/audit.js';
import { tellEvents } from '../../support/told-events.js';
import { runLedger } from '../../support/ledger-cli.js';
import type { Book, Command } from './promises.js';
import type { World } from './world.js';

/** The event that a command appends when it happens. */
const MADE = [
  'TransferSettled',
  'CashOutRegistered',
  'CashInRegistered',
  'RefundRegistered',
  'AccountCredited',
  'WebhookTestRequested',
];
/** Contract 6: every change of state after the creation is notified; and every test that was asked for. */
const NOTIFIED = [
  'CashInCompleted',
  'CashInErrored',
  'CashInReversed',
  'CashInCancelled',
  'CashOutCompleted',
  'CashOutErrored',
  'CashOutReversed',
  'RefundCompleted',
  'RefundErrored',
  'WebhookTestRequested',
];

/** Everything that a quiet, healed service must have kept. @returns what is wrong; empty when nothing is */
export async function check(world: World, books: readonly Book[]): Promise<string[]> {
  const commands = books.flatMap((book) => book.commands);
  const found = [
    ...books.flatMap(({ violations }) => violations),
    ...world.instances.flatMap(({ crashes }) => crashes.map((output) => `a process ended by itself: ${output}`)),
    ...(await promisesKept(world, commands)),
    ...(await railAgrees(world)),
    ...(await everythingNotified(world)),
  ];
  await assertLedgerSound(world.database).catch((error: unknown) => found.push((error as Error).message));
  const verified = await runLedger(['verify'], { ...world.env, DATABASE_URL: world.database.url });
  if (verified.code !== 0) found.push(`ledger verify: ${verified.stdout}${verified.stderr}`);
  return found;
}

/** Acknowledged: there once, under the identifier that the answer gave. Refused or unavailable: nothing. */
async function promisesKept({ database }: World, commands: readonly Command[]): Promise<string[]> {
  await tellEvents(database);
  const rows = await database.query<{ request: string; id: string }>(
    `select metadata->>'requestId' as request, coalesce(data->>'id', event_id::text) as id
     from told.event where type = any($1) and metadata->>'requestId' is not null`,
    [MADE],
  );
  const made = Map.groupBy(rows, ({ request }) => request);
  return commands.flatMap((command) => {
    const events = command.attempts.flatMap(({ requestId }) => made.get(requestId) ?? []);
    const told = command.attempts.filter(({ promised }) => promised === 'done').map(({ id }) => id);
    const name = `${command.kind} ${command.attempts.map(({ requestId, promised }) => `${requestId} (${promised})`).join()}`;
    const wrong: string[] = [];
    if (events.length > 1) wrong.push(`${name}: happened ${events.length} times`);
    if (told.some((id) => id !== events[0]?.id))
      wrong.push(`${name}: acknowledged as ${told.join()}, and is not there`);
    for (const { requestId, promised } of command.attempts) {
      if ((promised === 'refused' || promised === 'unavailable') && made.has(requestId)) {
        wrong.push(`${command.kind} ${requestId}: ${promised}, and it happened`);
      }
    }
    const open = command.key !== undefined && told.length === 0 && events.length > 0;
    if (open) wrong.push(`${name}: happened, and its repetition did not tell`);
    return wrong;
  });
}

/** The sandbox's books and the ledger's: every payment once, with the same end, and none that only one of them has. */
async function railAgrees({ database }: World): Promise<string[]> {
  await tellEvents(database);
  const rows = await database.query<{ problem: string }>(`
    with ours as (
      select t.end_to_end_id, t.state from transaction t where t.type = 'CashOut'),
    received as (
      select data->'payment'->>'endToEndId' as id from told.event
      where type in ('CashInCompleted', 'CashInErrored', 'CashInPaymentReturned', 'UnmatchedPaymentReceived'))
    select 'payout ' || p.end_to_end_id || ': ' || p.status || ' at the rail, ' || coalesce(o.state, 'unknown') || ' here'
      as problem
      from sandbox.payment_out p left join ours o on o.end_to_end_id = p.end_to_end_id
      where o.state is distinct from
        case p.status when 'Settled' then 'Completed' when 'Rejected' then 'Error' when 'Returned' then 'Reversed' end
    union all
    select 'payout ' || o.end_to_end_id || ': Completed here, and never sent'
      from ours o left join sandbox.payment_out p on p.end_to_end_id = o.end_to_end_id
      where o.state = 'Completed' and p.end_to_end_id is null
    union all
    select 'payment ' || p.end_to_end_id || ' came in and was taken in ' || count(r.id) || ' times'
      from sandbox.payment_in p left join received r on r.id = p.end_to_end_id
      group by p.end_to_end_id having count(r.id) <> 1
    union all
    select 'refund ' || r.return_id || ': ' || r.status || ' at the rail, ' || coalesce(t.state, 'unknown') || ' here'
      from sandbox.refund_out r
      join told.event e on e.type = 'RefundRegistered' and e.data->>'returnId' = r.return_id
      left join transaction t on t.id::text = e.data->>'id'
      where t.state is distinct from case r.status when 'Settled' then 'Completed' when 'Rejected' then 'Error' end`);
  return rows.map(({ problem }) => problem);
}

/** Each change of state reached the receiver, signed, always with the same words, and in order within its transaction. */
async function everythingNotified({ database, receiver }: World): Promise<string[]> {
  const rows = await database.query<{ id: string; chain: string; status: string }>(
    `select e.event_id as id, d.chain, d.status
     from event e left join webhook_delivery d on d.partition = e.partition and d.id = e.event_id
     where e.type = any($1) order by e.partition, e.position`,
    [NOTIFIED],
  );
  const receipts = receiver.receipts;
  const byId = Map.groupBy(receipts, ({ id }) => id);
  const firstTaken = new Map<string, number>();
  receipts.forEach(({ id, behaviour }, i) => {
    if (/^(200|slow)/.test(behaviour) && !firstTaken.has(id)) firstTaken.set(id, i);
  });
  const wrong = rows
    .filter(({ id, status }) => status !== 'Delivered' || !firstTaken.has(id))
    .map(({ id, status }) => `change ${id} was not notified: ${status}`);
  const known = new Set(rows.map(({ id }) => id));
  for (const [id, copies] of byId) {
    if (!known.has(id)) wrong.push(`${id} was notified, and never happened`);
    if (copies.some(({ verifiedBy }) => verifiedBy < 0))
      wrong.push(`notification ${id} is not signed by the partner's key`);
    if (new Set(copies.map(({ body }) => body)).size > 1) wrong.push(`notification ${id} changed between tries`);
  }
  for (const changes of Map.groupBy(rows, ({ chain }) => chain).values()) {
    changes.slice(1).forEach(({ id }, i) => {
      const first = receipts.findIndex((receipt) => receipt.id === id);
      if (first < (firstTaken.get(changes[i]!.id) ?? 0)) wrong.push(`${id} was notified before ${changes[i]!.id}`);
    });
  }
  return wrong;
}
