import { expect, it } from '@jest/globals';
import { newId } from '../../../event-store/index.js';
import type { Registry } from '../../registry.js';
import type { TransactionRows } from './transaction-rows.js';
import { ListTransactionsHandler, type TransactionShow } from './transactions.handlers.js';
import { ListTransactions } from './transactions.query.js';

it('reads four pages of a partner at once: the others of it wait, and those of another partner do not', async () => {
  const begun: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resume) => (release = resume));
  const list = async (_partition: number, { partnerUid }: { readonly partnerUid: string }) => {
    begun.push(partnerUid);
    await released;
    return [];
  };
  const rows = { list } as unknown as TransactionRows;
  const show = { all: async () => [] } as unknown as TransactionShow;
  const handler = new ListTransactionsHandler(rows, {} as Registry, show);
  const ask = (partnerUid: string, limit: number) =>
    handler.execute(new ListTransactions(partnerUid, newId(1), {}, limit, undefined));

  const asked = Array.from({ length: 20 }, (_, i) => ask('greedy', i + 1));
  asked.push(ask('other', 20));
  await new Promise((resume) => setImmediate(resume));
  expect(begun).toEqual([...Array<string>(4).fill('greedy'), 'other']);

  release();
  expect(await Promise.all(asked)).toHaveLength(21);
  expect(begun).toHaveLength(21);
});
