import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchWriter, CommitUnanswered } from '../../src/event-store/group-commit/batch-writer.js';
import { LaneConnection } from '../../src/event-store/group-commit/lane-connection.js';
import { LogChecks } from '../../src/event-store/group-commit/log-checks.js';
import { defineEvent, InlineProjections, newId } from '../../src/event-store/index.js';
import { PersonalDataCodec } from '../../src/event-store/subjects/personal-data-codec.js';
import { Database } from '../../src/platform/database/index.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';

/** A batch by memory is one message: it may lie in a buffer on the way when its connection is given up (ADR 0008). */
const Sent = defineEvent<object>()('Sent', 'A test note.');
const PARTITION = 1;

let service: InProcessOwning;
let proxy: DatabaseProxy;
let behind: Database;
let connection: LaneConnection;
let writer: BatchWriter;
let checks: LogChecks;
const faults: unknown[] = [];

beforeAll(async () => {
  service = await startWithDatabase();
  proxy = await DatabaseProxy.start(service.owner.url);
  behind = new Database(proxy.url, () => undefined);
  const projections = service.app.get(InlineProjections).all();
  connection = new LaneConnection(() => behind.openLane());
  const lost = (position: bigint) => faults.push(new Error(`event ${position} is lost`));
  writer = new BatchWriter(PARTITION, connection, projections, service.app.get(PersonalDataCodec), lost);
  checks = new LogChecks(PARTITION, connection, (fault) => faults.push(fault));
});

afterAll(async () => {
  expect(faults).toEqual([]);
  await assertLedgerSound(service.owner);
  await connection.close();
  await behind.close();
  await proxy.stop();
  await service.close();
});

function write(stream: string) {
  const append = {
    partition: PARTITION,
    reads: {},
    decide: () => [Sent.create(stream, 1, {})],
    metadata: { actor: 'test' },
  };
  return writer.write([{ append, eventIds: [], subjects: new Map(), mark: undefined }]);
}

const stands = async (stream: string) =>
  (await service.owner.query('select from event where stream = $1', [stream])).length;

/** A batch that was sent on a connection which broke then, and has not arrived. */
async function lost(stream: string): Promise<CommitUnanswered> {
  await write(`note-${newId(PARTITION)}`);
  proxy.cutNextCommit('late');
  const outcome: unknown = await write(stream).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(CommitUnanswered);
  return outcome as CommitUnanswered;
}

describe('a batch that arrives after its connection was given up', () => {
  it('is never written once it was found not to stand in the log', async () => {
    const stream = `note-${newId(PARTITION)}`;
    const unanswered = await lost(stream);
    expect(await checks.wasCommitted(unanswered, performance.now() + 10_000)).toBe(false);
    await proxy.deliver();
    expect(await stands(stream)).toBe(0);
    await write(stream);
    expect(await stands(stream)).toBe(1);
  });

  it('is found when it arrived before anybody asked', async () => {
    const stream = `note-${newId(PARTITION)}`;
    const unanswered = await lost(stream);
    await proxy.deliver();
    expect(await checks.wasCommitted(unanswered, performance.now() + 10_000)).toBe(true);
    expect(await stands(stream)).toBe(1);
  });
});
