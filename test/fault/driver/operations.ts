import { ADMIN_TOKEN } from '../../support/service.js';
import { FILES, payoutCsv } from '../../support/payout-files.js';
import type { Batch, Book, Command } from './promises.js';
import type { Random } from './random.js';
import { type Actor, PATHS, type World } from './world.js';

/** A cash-in that was acknowledged: it can be paid, taken back and refunded. */
export interface OpenCashIn {
  readonly actor: Actor;
  readonly id: string;
  readonly qrCode: string;
  readonly amount: string;
}

/** What a client knows and chooses from. */
export interface Client {
  readonly name: string;
  readonly world: World;
  readonly book: Book;
  readonly random: Random;
  readonly cashIns: OpenCashIn[];
  /** Payouts that wait to be forced (decisions 10). */
  readonly waiting: string[];
  /** Files, and what was to be made later: it can be cancelled. */
  readonly cancellable: { readonly actor: Actor; readonly path: string }[];
  sent: number;
}

const ROUTES = '/partners-int/accounts';
const RECIPIENT = { name: 'Maria Silva', cpf: '11144477735' };
const ACCOUNT = { ispb: '60701190', branch: '0001', number: '123456', digit: '7' };

/** `1.00` to `limit`, often with the centavos by which the sandbox decides a payout's end (decisions 10). */
function amount(random: Random, limit: number, scripted = false): string {
  const cents = scripted && random.chance(0.4) ? random.pick(['96', '97', '98', '99']) : String(random.whole(10, 95));
  return `${random.whole(1, limit)}.${cents}`;
}

/** Nearly everything is made at once; some of it soon. */
function soon(random: Random): { scheduledFor: string } | undefined {
  return random.chance(0.1)
    ? { scheduledFor: new Date(Date.now() + random.whole(500, 4_000)).toISOString() }
    : undefined;
}

/** Nearly every command carries a key; those without one are sent once, whatever the answer. */
function keyOf(client: Client): string | undefined {
  client.sent += 1;
  return client.random.chance(0.9) ? `${client.name}-${client.sent}` : undefined;
}

function webhook({ world, random }: Client) {
  return { url: world.receiver.url(random.pick(PATHS)) };
}

export function transfer(
  client: Client,
  actor = client.random.pick(client.world.actors),
  key = keyOf(client),
): Command {
  const { random, book } = client;
  const refAccountCredit = random.pick(actor.partner.accounts);
  const later = soon(random);
  const transferAmount = random.chance(0.05) ? '9999999.00' : random.chance(0.03) ? '-1.00' : amount(random, 20);
  return book.command({
    kind: 'transfer',
    path: `${ROUTES}/transfer`,
    token: actor.token,
    account: actor.account,
    body: { refAccountCredit, transferAmount, ...(random.chance(0.3) && { transferDescription: 'Aluguel' }), ...later },
    key,
    idOf: ({ id }) => {
      if (later) client.cancellable.push({ actor, path: `${ROUTES}/transactions/${id}/cancel` });
      return id;
    },
  });
}

export function cashOut(client: Client, actor = client.random.pick(client.world.actors), key = keyOf(client)): Command {
  const { random, book, waiting } = client;
  const later = soon(random);
  const value = random.chance(0.04) ? '9999999.00' : amount(random, 30, later === undefined);
  const unknown = random.chance(0.1) ? 'ninguem+notfound@example.com' : 'maria@example.com';
  const method = random.pick([
    { key: { type: 'EMAIL', value: unknown }, recipient: RECIPIENT },
    { recipient: { ...RECIPIENT, account: ACCOUNT } },
    { key: { type: 'CPF', value: RECIPIENT.cpf }, recipient: { ...RECIPIENT, account: ACCOUNT } },
  ]);
  return book.command({
    kind: 'cash-out',
    path: `${ROUTES}/pix/cashout`,
    token: actor.token,
    account: actor.account,
    body: { payment: { value, ...method }, transaction: { orderId: 'pedido', ...later }, webhook: webhook(client) },
    key,
    idOf: ({ transaction: { id } }) => {
      if (value.endsWith('.98')) waiting.push(id);
      if (later) client.cancellable.push({ actor, path: `${ROUTES}/transactions/${id}/cancel` });
      return id;
    },
  });
}

/** Several transfers, or payouts, of one account in one request. */
export function batch(client: Client): Batch {
  const { random, book } = client;
  const actor = random.pick(client.world.actors);
  const pays = random.chance(0.5);
  const keyed = () => `${client.name}-${(client.sent += 1)}`;
  return book.batch({
    path: pays ? `${ROUTES}/pix/cashouts/batch` : `${ROUTES}/transfers/batch`,
    mode: !pays && random.chance(0.4) ? 'atomic' : 'independent',
    ...(random.chance(0.5) && { key: keyed() }),
    commands: Array.from({ length: random.whole(1, 12) }, () => (pays ? cashOut : transfer)(client, actor, keyed())),
  });
}

export function payoutFile(client: Client): Command {
  const { random, book } = client;
  const actor = random.pick(client.world.actors);
  const key = keyOf(client);
  return book.command({
    kind: 'payout file',
    path: FILES,
    token: actor.token,
    account: actor.account,
    body: payoutCsv(random.whole(1, 60), `${client.name}-${client.sent}`, amount(random, 3)),
    contentType: 'text/csv',
    key,
    idOf: ({ id }) => {
      client.cancellable.push({ actor, path: `${FILES}/${id}/cancel` });
      return id;
    },
  });
}

export function cashIn(client: Client): Command {
  const { random, book, cashIns } = client;
  const actor = random.pick(client.world.actors);
  const original = amount(random, 30);
  return book.command({
    kind: 'cash-in',
    path: `${ROUTES}/pix/cashin`,
    token: actor.token,
    account: actor.account,
    body: { payment: { value: { original } }, transaction: { orderId: 'pedido' }, webhook: webhook(client) },
    key: keyOf(client),
    idOf: ({ transaction, payment }) => {
      cashIns.push({ actor, id: transaction.id, qrCode: payment.qrCode, amount: original });
      return transaction.id;
    },
  });
}

export function refund(client: Client): Command | undefined {
  const { random, book, cashIns } = client;
  if (cashIns.length === 0) return undefined;
  const { actor, id } = random.pick(cashIns);
  return book.command({
    kind: 'refund',
    path: `${ROUTES}/pix/cashin/${id}/refunds`,
    token: actor.token,
    account: actor.account,
    body: { amount: `0.${random.whole(10, 60)}` },
    key: keyOf(client),
    idOf: ({ transaction }) => transaction.id,
  });
}

export function credit(client: Client): Command {
  const { random, book, world } = client;
  return book.command({
    kind: 'credit',
    path: `/admin/accounts/${random.pick(world.actors).account}/credits`,
    token: ADMIN_TOKEN,
    body: { amount: amount(random, 50), reason: 'Aporte' },
    key: keyOf(client),
    idOf: (data) => data.id,
  });
}

export function webhookTest(client: Client): Command {
  return client.book.command({
    kind: 'webhook-test',
    path: '/partners-int/webhooks/test',
    token: client.random.pick(client.world.actors).token,
    body: webhook(client),
    idOf: (data) => data.deliveryId,
  });
}
