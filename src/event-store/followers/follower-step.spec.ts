import { expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import type { Statement } from '../log/statement.js';
import type { RecentEvents } from '../log/recent-events.js';
import type { Follower } from './follower.js';
import { step } from './follower-step.js';

it.each([undefined, new Set(['CashInRegistered'])])(
  'reads a thousand events at most for followers that lag, whatever types they handle: %s',
  async (handles) => {
    const asked: Statement[] = [];
    const query = async (statement: Statement) => {
      asked.push(statement);
      return { rows: [] };
    };
    const client = { query } as unknown as PoolClient;
    const recent = { newest: () => undefined } as unknown as RecentEvents;
    const follower = { name: 'saga', handles } as unknown as Follower;
    expect(await step(client, () => undefined, [follower], 1, recent, Infinity)).toEqual({ more: false, sources: [] });
    expect(asked.map(({ values }) => values[2])).toEqual([1_000]);
  },
);
