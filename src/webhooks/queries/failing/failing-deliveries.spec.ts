import { expect, it } from '@jest/globals';
import type { TransactionRows } from '../../../accounts/index.js';
import type { Partitions, Statement } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { WebhookSender } from '../../sender/webhook-sender.js';
import { FailingDeliveries } from './failing-deliveries.js';

const PARTNERS = Array.from({ length: 5_000 }, (_, i) => ({ partnerUid: `partner-${i}` }));
const READ_AT_MOST = 10_000;
const none = { retrying: 0, stopped: 0, exhausted: 0, waiting: 0 };

it('counts hosts of thousands of partners among so many deliveries, and asks for circuits of those listed', async () => {
  const counted: Statement[] = [];
  const query = async (statement: Statement) => {
    if (statement.name === 'webhook-open-partners') return PARTNERS;
    counted.push(statement);
    return Array.from({ length: 200 }, (_, i) => ({
      ...none,
      origin: `https://h${i % 150}.example`,
      partners: ['one', 'two'],
      stopped: i + 1,
    }));
  };
  const asked: string[] = [];
  const sender = { circuitOf: ({ url }: { url: string }) => void asked.push(url) };
  const ask = async (all: number[], question: (partition: number) => Promise<unknown>) => ({
    found: await Promise.all(all.map(async (one) => [one, await question(one)])),
    away: [],
  });
  const failing = new FailingDeliveries(
    { query } as unknown as Database,
    { all: () => [1], ask } as unknown as Partitions,
    {} as TransactionRows,
    sender as unknown as WebhookSender,
  );
  const hosts = await failing.hosts(2);
  expect(hosts).toEqual([
    { ...none, host: 'h49.example', stopped: 50 + 200, circuit: null },
    { ...none, host: 'h48.example', stopped: 49 + 199, circuit: null },
  ]);
  expect(new Set(asked)).toEqual(new Set(['https://h49.example', 'https://h48.example']));
  const [{ text, values }] = counted as [Statement];
  expect(text).toMatch(/limit 200$/);
  for (const share of values.slice(6, 8)) expect(Number(share) * PARTNERS.length).toBeLessThanOrEqual(READ_AT_MOST);
});
