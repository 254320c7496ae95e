import { describe, expect, it } from '@jest/globals';
import { type EventOf, newId, WholeStreams } from '../../event-store/index.js';
import type { Database, PipelinedStatement } from '../../platform/database/index.js';
import type { DueDelivery } from '../deliveries/delivery-work.js';
import { originKeyOf } from '../domain/delivery.js';
import { testDelivery } from '../domain/test-message.js';
import { WebhookTestRequested } from '../domain/webhook.events.js';
import { LoggedDeliveries } from './logged-deliveries.js';

const url = 'https://partner.example/';
const [partnerUid, accountUid] = [newId(0), newId(1)];

function testAt(position: bigint) {
  const id = newId(1);
  const [type, data] = [WebhookTestRequested.type, { partnerUid, accountUid, url }];
  const event = { partition: 1, position, id, stream: `webhook-test-${id}`, version: 1, type, time: new Date(), data };
  const made = testDelivery({ ...event, metadata: {} } as EventOf<typeof WebhookTestRequested>);
  const row = {
    ...{ ...event, event_id: id, position: String(position), schema_version: 1, data: JSON.stringify(data) },
    ...{ metadata: '{}', leaf: Buffer.alloc(32), ahead: null, beyond: false },
  };
  return { row, due: { ...made, partition: 1, originKey: originKeyOf(partnerUid, url) } as unknown as DueDelivery };
}

/** The log of some rows, and the statements that read it. */
function logOf(rows: readonly object[]) {
  const statements: (string | undefined)[] = [];
  const lookUp = async ({ name }: PipelinedStatement) => {
    statements.push(name);
    return name === 'log-events-of-streams' ? rows : [];
  };
  const database = { lookUp } as unknown as Database;
  return { logged: new LoggedDeliveries(database, new WholeStreams(database)), statements };
}

const tests = Array.from({ length: 200 }, (_, n) => testAt(BigInt(n + 1)));
const { logged, statements } = logOf(tests.map(({ row }) => row));
const [{ due }] = tests as [(typeof tests)[0]];

describe('deliveries that are claimed together', () => {
  it('are found in one read of the log, tests and payments', async () => {
    const payments = tests.map(() => ({ ...due, id: newId(1), transactionId: newId(1) }));
    const found = await logged.find(1, [...tests.map((one) => one.due), ...payments]);
    expect(found.slice(0, tests.length).map((one) => one instanceof Error)).toEqual(tests.map(() => false));
    expect(found.slice(tests.length).map((one) => one instanceof Error)).toEqual(payments.map(() => true));
    expect(statements.splice(0)).toEqual(['log-events-of-streams']);
  });

  it('are found in one more where accounts are told', async () => {
    const told = tests.map(() => ({ ...due, id: newId(1), type: 'hold.placed' }));
    await logged.find(1, [due, ...told]);
    expect(statements.splice(0)).toEqual(['account-webhooks-before', 'log-events-of-streams']);
  });
});

describe('a delivery is an error by itself', () => {
  const fields = due.material as { fields: object };
  it.each([
    ['chain', { chain: newId(1) }],
    ['partner_uid', { partnerUid: newId(0) }],
    ['lane', { originKey: newId(1) }],
    ['url', { url: 'https://another.example/' }],
    ['header_name', { header: { name: 'X-Source', secretId: newId(1) } }],
    ['material.party', { material: { ...fields, party: { subject: newId(1), data: '' } } }],
    ['material.fields.other', { material: { ...fields, fields: { ...fields.fields, other: { a: 'b' } } } }],
  ])('where its %s is not what its event makes', async (field, change) => {
    const [changed, other] = await logged.find(1, [{ ...due, ...change } as DueDelivery, tests[1]!.due]);
    expect(changed).toEqual(new Error(`${field} of this delivery is not what its event makes`));
    expect(other).toMatchObject({ id: tests[1]!.due.id, url });
  });

  it('where what it has of another’s content is no content', async () => {
    const [changed, other] = await logged.find(1, [{ ...due, material: null as never }, tests[1]!.due]);
    expect([changed instanceof Error, other instanceof Error]).toEqual([true, false]);
  });
});
