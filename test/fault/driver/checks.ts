import { hash } from 'node:crypto';
import { assertLedgerSound } from '../../support/audit.js';
import { call } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { tellEvents } from '../../support/told-events.js';
import { runLedger } from '../../support/ledger-cli.js';
import type { Batch, Book, Command } from './promises.js';
import type { World } from './world.js';

/** The event that a command appends when it happens. */
const MADE = [
  'TransferSettled',
  'TransferScheduled',
  'CashOutRegistered',
  'CashOutScheduled',
  'PayoutFileAccepted',
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
  await tellEvents(world.database);
  const made = await madeIn(world);
  const found = [
    ...books.flatMap(({ violations }) => violations),
    ...world.instances.flatMap(({ crashes }) => crashes.map((output) => `a process ended by itself: ${output}`)),
    ...promisesKept(made, commands),
    ...batchesKept(
      made,
      books.flatMap(({ batches }) => batches),
    ),
    ...(await railAgrees(world)),
    ...(await everythingNotified(world)),
    ...(await everybodyReady(world)),
  ];
  await assertLedgerSound(world.database).catch((error: unknown) => found.push((error as Error).message));
  const verified = await runLedger(['verify'], { ...world.env, DATABASE_URL: world.database.url });
  if (verified.code !== 0) found.push(`ledger verify: ${verified.stdout}${verified.stderr}`);
  return found;
}

/** A process that is not says why: the history was altered, say, or an event is gone that it has answered for. */
async function everybodyReady({ instances }: World): Promise<string[]> {
  const said = await Promise.all(
    instances.map(async (instance) => {
      await instance.up();
      let why = '';
      const isReady = async () => {
        const { status, body } = await call(instance.url!, 'GET', '/health/ready');
        why = body.error?.message;
        return status === 200;
      };
      return eventually(isReady).then(
        () => [],
        () => [`a process is not ready: ${why}`],
      );
    }),
  );
  return said.flat();
}

type Made = Awaited<ReturnType<typeof madeIn>>;

/** What was made, by the request that made it and by the key that it keeps. */
async function madeIn({ database }: World) {
  const rows = await database.query<{ request: string | null; id: string; key: string | null }>(
    `select e.metadata->>'requestId' as request, coalesce(e.data->>'id', e.event_id::text) as id,
       encode(i.id, 'hex') as key
     from told.event e left join idempotency i on i.partition = e.partition and i.position = e.position
     where e.type = any($1)`,
    [MADE],
  );
  const byKey = new Map(rows.map(({ key, id }) => [key, id]));
  return {
    byRequest: Map.groupBy(rows, ({ request }) => request),
    underKey: ({ account, key }: Command) => byKey.get(hash('sha256', `${account}\n${key}`, 'hex')),
  };
}

/** Acknowledged: there once, under the identifier that the answer gave. Refused or unavailable: nothing. */
function promisesKept({ byRequest, underKey }: Made, commands: readonly Command[]): string[] {
  return commands.flatMap((command) => {
    const { attempts, kind } = command;
    const alone = attempts
      .filter(({ together }) => !together)
      .flatMap(({ requestId }) => byRequest.get(requestId) ?? []);
    const kept = command.key && command.account ? underKey(command) : alone[0]?.id;
    const told = attempts.filter(({ promised }) => promised === 'done').map(({ id }) => id);
    const name = `${kind} ${attempts.map(({ requestId, promised }) => `${requestId} (${promised})`).join()}`;
    const wrong: string[] = [];
    if (alone.length > 1) wrong.push(`${name}: happened ${alone.length} times`);
    if (alone.some(({ id }) => id !== kept)) wrong.push(`${name}: happened, and not under its key`);
    if (told.some((id) => id !== kept)) wrong.push(`${name}: acknowledged as ${told.join()}, and is not there`);
    for (const { requestId, promised, together } of attempts) {
      const nothing = promised === 'refused' || promised === 'unavailable';
      if (nothing && !together && byRequest.has(requestId))
        wrong.push(`${kind} ${requestId}: ${promised}, and it happened`);
    }
    if (kept !== undefined && attempts.every(({ promised }) => promised === 'refused' || promised === 'unavailable'))
      wrong.push(`${name}: it happened`);
    const open = command.key !== undefined && told.length === 0 && kept !== undefined;
    if (open) wrong.push(`${name}: happened, and its repetition did not tell`);
    return wrong;
  });
}

/** What a request of many made is kept under its items' keys; an atomic one made all that was not there, or nothing. */
function batchesKept({ byRequest, underKey }: Made, batches: readonly Batch[]): string[] {
  return batches.flatMap(({ mode, commands, requestIds }) => {
    const kept = commands.map((command) => underKey(command));
    return requestIds.flatMap((requestId) => {
      const made = byRequest.get(requestId) ?? [];
      const wrong = made
        .filter(({ id }) => !kept.includes(id))
        .map(({ id }) => `batch ${requestId}: ${id} is under no key of its items`);
      commands.forEach(({ attempts }, i) => {
        const promised = attempts.find((attempt) => attempt.requestId === requestId)?.promised;
        const nothing = promised === 'refused' || promised === 'unavailable';
        if (nothing && made.some(({ id }) => id === kept[i]))
          wrong.push(`batch ${requestId}: ${kept[i]} was ${promised}, and it happened`);
      });
      const isPart = mode === 'atomic' && made.length > 0 && kept.includes(undefined);
      return isPart ? [...wrong, `batch ${requestId}: atomic, and a part of it happened`] : wrong;
    });
  });
}

/** The sandbox's books and the ledger's: every payment once, with the same end, and none that only one of them has. */
async function railAgrees({ database }: World): Promise<string[]> {
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
      where t.state is distinct from case r.status when 'Settled' then 'Completed' when 'Rejected' then 'Error' end
    union all
    select 'deposit ' || t.id || ': registered here, and no charge at the rail'
      from transaction t left join sandbox.charge c on c.txid = replace(t.id::text, '-', '')
      where t.type = 'CashIn' and c.location is null`);
  return rows.map(({ problem }) => problem);
}

/**
 * Each change of state reached the receiver, signed, always with the same words, and in order within its transaction.
 */
async function everythingNotified({ database, receiver }: World): Promise<string[]> {
  const rows = await database.query<{ id: string; chain: string; status: string }>(
    `select e.event_id as id, d.chain, d.status
     from told.event e left join webhook_delivery d on d.partition = e.partition and d.id = e.event_id
     where d.id is not null or (e.type = any($1) and e.data->>'payoutFile' is null)
     order by e.partition, e.position`,
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
