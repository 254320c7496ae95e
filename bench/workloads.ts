import { KEY } from './item-keys.ts';
import type { LoadPlan } from './load.ts';
import { type SeededPartner, tokenFor } from './seed.ts';

export type Workload = Omit<LoadPlan, 'url' | 'seconds'> & {
  /** Whether its ratio to `pgbench` is meaningful. */
  readonly writes?: boolean;
};

const CONNECTIONS = 128;
const ITEMS = 50;
/** Every item has its own key, the request none. */
const inBatches = { connections: 32, items: ITEMS, idempotent: false };
const TRANSFER = '/partners-int/accounts/transfer';

/**
 * The workloads. Every command has its own idempotency key, as a careful partner's has.
 * @param webhookUrl for the webhooks of payouts
 */
export async function workloads(
  base: string,
  partners: readonly SeededPartner[],
  webhookUrl: string,
): Promise<Record<string, Workload>> {
  const webhook = { url: webhookUrl };
  const transferTo = (refAccountCredit: string) => ({ refAccountCredit, transferAmount: '1.00' });
  const transfer = (token: string, to: string) => ({ path: TRANSFER, token, body: JSON.stringify(transferTo(to)) });
  const payout = {
    payment: {
      value: '1.00',
      recipient: {
        name: 'Maria Silva',
        cpf: '529.982.247-25',
        account: { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' },
      },
    },
    transaction: { orderId: 'bench' },
    webhook,
  };
  const batchOf = (item: (i: number) => object) =>
    JSON.stringify({
      items: Array.from({ length: ITEMS }, (_, i) => ({ idempotencyKey: `${KEY}-${i}`, ...item(i) })),
    });
  const [hot] = partners as readonly [SeededPartner];
  const senders = hot.accounts.slice(1, 17);
  const tokens = await Promise.all(senders.map((uid) => tokenFor(base, uid)));
  const ids = await someTransactions(base, hot);
  const commands = { connections: CONNECTIONS, method: 'POST', idempotent: true, writes: true } as const;
  const reads = { connections: 64, method: 'GET' } as const;
  const each = (path: string, body: unknown) =>
    partners.map(({ token }) => ({ path, token, body: JSON.stringify(body) }));
  return {
    'transfers, uniform over all accounts': {
      ...commands,
      requests: partners.flatMap(({ token, accounts }) => accounts.slice(1).map((uid) => transfer(token, uid))),
    },
    'transfers out of one hot account': {
      ...commands,
      requests: hot.accounts.slice(1).map((uid) => transfer(hot.token, uid)),
    },
    'transfers into one hot account': {
      ...commands,
      requests: tokens.map((token) => transfer(token, hot.accounts[0]!)),
    },
    'transfers of one partner': {
      ...commands,
      requests: tokens.flatMap((token) => hot.accounts.slice(17).map((uid) => transfer(token, uid))),
    },
    'transfers in batches of 50, uniform': {
      ...commands,
      ...inBatches,
      requests: partners.map(({ token, accounts }) => ({
        path: '/partners-int/accounts/transfers/batch',
        token,
        body: batchOf((i) => transferTo(accounts[1 + (i % (accounts.length - 1))]!)),
      })),
    },
    'transfers, one connection': {
      ...commands,
      connections: 1,
      requests: hot.accounts.slice(1).map((uid) => transfer(hot.token, uid)),
    },
    'cash-in creation': {
      ...commands,
      requests: each('/partners-int/accounts/pix/cashin', {
        payment: { value: { original: '10.00' } },
        transaction: { orderId: 'bench' },
        webhook,
      }),
    },
    'cash-out creation': { ...commands, requests: each('/partners-int/accounts/pix/cashout', payout) },
    'cash-outs in batches of 50': {
      ...commands,
      ...inBatches,
      requests: partners.map(({ token }) => ({
        path: '/partners-int/accounts/pix/cashouts/batch',
        token,
        body: batchOf(() => payout),
      })),
    },
    'read by id': { ...reads, requests: ids.map((id) => ({ path: `${TRANSACTIONS}/${id}`, token: hot.token })) },
    'list of transactions': { ...reads, requests: [{ path: `${TRANSACTIONS}?limit=20`, token: hot.token }] },
    'lists of transactions of all partners': {
      ...reads,
      requests: partners.map(({ token }) => ({ path: `${TRANSACTIONS}?limit=20`, token })),
    },
    login: {
      connections: 64,
      method: 'POST',
      requests: partners.map(({ credentials }) => ({
        path: '/partners-int/login',
        body: JSON.stringify(credentials),
      })),
    },
  };
}

const TRANSACTIONS = '/partners-int/accounts/transactions';

/** A hundred transfers of the partner, to be read. */
async function someTransactions(base: string, { token, accounts }: SeededPartner): Promise<string[]> {
  return Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const answer = await fetch(`${base}${TRANSFER}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ refAccountCredit: accounts[1 + (i % 10)], transferAmount: '1.00' }),
      });
      const { data } = (await answer.json()) as { data: { id: string } };
      return data.id;
    }),
  );
}
