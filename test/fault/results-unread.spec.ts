import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { assertLedgerSound } from '../support/audit.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
let holder: pg.Client;

beforeAll(async () => {
  edge = await PixEdge.start();
  holder = new pg.Client({ connectionString: edge.database.url });
  await holder.connect();
}, 60_000);

afterAll(async () => {
  await holder?.end();
  await edge?.stop();
});

describe('a command that was carried out, and whose result cannot be read', () => {
  it('is not answered as if nothing was done', async () => {
    const { id } = await edge.cashIn('10.00');
    // The commit writes no delivery; the answer reads it.
    await holder.query('begin');
    await holder.query('lock table webhook_delivery in access exclusive mode');
    const { status, body, headers } = await edge.api.post(`/accounts/pix/cashin/${id}/cancel`);
    await holder.query('rollback');
    expect([status, body.error.name, headers.get('retry-after')]).toEqual([503, 'OutcomeUnknown', '2']);
    expect(body.error.message).toContain('was carried out');
    expect((await edge.transaction(id)).state).toBe('Cancelled');
    await assertLedgerSound(edge.database);
  }, 30_000);
});
