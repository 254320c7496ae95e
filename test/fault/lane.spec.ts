import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { taxpayer } from '../../src/accounts/index.js';
import {
  AwaitedCommands,
  DEFAULT_LANE,
  defineEvent,
  EventLog,
  InlineProjections,
  Ledger,
  newId,
  personal,
  PersonalDataCodec,
  SubjectForgotten,
  SubjectVault,
} from '../../src/event-store/index.js';
import { BatchWriter } from '../../src/event-store/group-commit/batch-writer.js';
import { LaneConnection } from '../../src/event-store/group-commit/lane-connection.js';
import { Lane } from '../../src/event-store/group-commit/lane.js';
import { submissionOf } from '../../src/event-store/group-commit/submission.js';
import type { LaneOptions } from '../../src/event-store/options.js';
import { ServiceUnavailable } from '../../src/platform/errors/index.js';
import { assertLedgerSound } from '../support/audit.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';

const Noted = defineEvent<{ text: string }>()('Noted', 'A test note.');
const Named = defineEvent<{ name: ReturnType<typeof personal<string>> }>()('Named', 'A test note about a person.');
const PARTITION = 1;

let service: InProcessOwning;
let ledger: Ledger;

beforeAll(async () => {
  service = await startWithDatabase({ LEDGER_QUEUE_SIZE: '50' });
  ledger = service.app.get(Ledger);
});

afterAll(() => service.close());

const noted = (stream: string, version: number, text = 'x', requestId?: string) => ({
  partition: PARTITION,
  reads: {},
  decide: () => [Noted.create(stream, version, { text })],
  metadata: { actor: 'test', requestId },
});
const note = (...asked: Parameters<typeof noted>) => ledger.execute(noted(...asked));

/** A lane of the same partition, as another process has it. */
function ownLane(options: Partial<LaneOptions>) {
  const { app, database } = service;
  const connection = new LaneConnection(() => database.openLane(PARTITION));
  const projections = app.get(InlineProjections).all();
  const writer = new BatchWriter(PARTITION, connection, projections, app.get(PersonalDataCodec), () => undefined);
  const nothing = () => undefined;
  const events = { batch: nothing, fault: nothing, contradicted: nothing, lost: nothing, refused: nothing };
  const lane = new Lane(
    PARTITION,
    connection,
    writer,
    { ...DEFAULT_LANE, ...options },
    { ...events, appended: nothing },
  );
  return { lane, close: () => lane.close() };
}

/** Whoever writes to the partition waits until it is released. */
async function holdHead() {
  const client = new Client({ connectionString: service.owner.url });
  await client.connect();
  await client.query('begin');
  await client.query('update log_head set position = position where partition = $1', [PARTITION]);
  return { release: () => client.end() };
}

it('commands that no request asked for are not counted as awaited', async () => {
  const { single } = service.app.get(AwaitedCommands);
  await note(`note-${newId(PARTITION)}`, 1);
  expect(service.app.get(AwaitedCommands).single).toBe(single);
  await note(`note-${newId(PARTITION)}`, 1, 'x', 'request');
  expect(service.app.get(AwaitedCommands).single).toBe(single + 1);
});

describe('a batch', () => {
  it('with a command whose data the database refuses costs only that command', async () => {
    const stream = `note-${newId(PARTITION)}`;
    await note(stream, 1);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => note(`note-${newId(PARTITION)}`, 1)),
      note(stream, 1), // this version exists: a constraint fault, which fails the statement of the whole batch
      ...Array.from({ length: 10 }, () => note(`note-${newId(PARTITION)}`, 1)),
    ]);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      ...Array<boolean>(10).fill(true),
      false,
      ...Array<boolean>(10).fill(true),
    ]);
    expect(outcomes[10]).toMatchObject({ reason: { name: 'InternalError' } });
    await assertLedgerSound(service.owner);
  });

  it('with a command that throws, or that changes what it did not read, costs only that command', async () => {
    const outcomes = await Promise.allSettled([
      note(`note-${newId(PARTITION)}`, 1),
      ledger.execute({
        partition: PARTITION,
        reads: {},
        decide: () => {
          throw new RangeError('a defect');
        },
        metadata: { actor: 'test' },
      }),
      ledger.execute({
        partition: PARTITION,
        reads: {},
        decide: () => [
          {
            type: 'Noted',
            stream: `note-${newId(PARTITION)}`,
            version: 1,
            data: { postings: [{ account: newId(PARTITION) }] },
          },
        ],
        metadata: { actor: 'test' },
      }),
      note(`note-${newId(PARTITION)}`, 1),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  });

  it('that is split when the deadline of its commands is over makes none of them', async () => {
    const { lane, close } = ownLane({ deadline: 300 });
    const taken = `note-${newId(PARTITION)}`;
    await note(taken, 1);
    const streams = Array.from({ length: 5 }, () => `note-${newId(PARTITION)}`);
    const codec = service.app.get(PersonalDataCodec);
    const held = await holdHead();
    const answers = [taken, ...streams].map((stream) => lane.submit(submissionOf(noted(stream, 1), codec)));
    const outcomes = Promise.allSettled(answers);
    await sleep(500);
    await held.release();
    expect((await outcomes).map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
    for (const answer of answers) await expect(answer).rejects.toThrow(ServiceUnavailable);
    expect(await service.owner.query('select from event where stream = any($1)', [streams])).toEqual([]);
    await close();
  });

  it('gives each command the effects of those before it, and one time that never runs backwards', async () => {
    const stream = `note-${newId(PARTITION)}`;
    const outcomes = await Promise.all([1, 2, 3].map((version) => note(stream, version)));
    const events = outcomes.flatMap((outcome) => outcome.events);
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3]);
    const log = await service.app.get(EventLog).readAfter(PARTITION, 0n, 1000);
    const times = log.map(({ time }) => time.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(log.map(({ position }) => position)).toEqual(log.map((_, i) => BigInt(i + 1)));
  });
});

it('a command with a used key is answered as before by a lane that never saw the key, though it is refused now', async () => {
  const { lane, close } = ownLane({});
  const codec = service.app.get(PersonalDataCodec);
  const keyed = { ...noted(`note-${newId(PARTITION)}`, 1), idempotency: { scope: 'test', key: 'k', request: 'r' } };
  const { events } = await ledger.execute(keyed);
  // From here on the other lane knows the head, and no key.
  await lane.submit(submissionOf(noted(`note-${newId(PARTITION)}`, 1), codec));
  const decide = () => {
    throw new ServiceUnavailable('refused now');
  };
  const answer = await lane.submit(submissionOf({ ...keyed, decide }, codec));
  expect(answer).toMatchObject({ replayed: true, position: events[0]!.position });
  await close();
});

describe('commands of one request', () => {
  const many = (streams: readonly string[], atomic: boolean, version = 1) =>
    ledger.executeAll(
      streams.map((stream) => ({
        partition: PARTITION,
        reads: {},
        decide: () => [Noted.create(stream, version, { text: 'x' })],
        metadata: { actor: 'test' },
      })),
      { owner: 'o', atomic },
    );
  const fresh = (n: number) => Array.from({ length: n }, () => `note-${newId(PARTITION)}`);
  const standing = async (streams: readonly string[]) =>
    (await service.owner.query('select from event where stream = any($1)', [streams])).length;

  it('stand each alone: one that the database refuses costs only that one, in one batch with others', async () => {
    const taken = fresh(1)[0]!;
    const [first, rest, beside] = [fresh(5), fresh(5), fresh(3)] as const;
    await note(taken, 1);
    const [results] = await Promise.all([
      many([...first, taken, ...rest], false),
      ...beside.map((stream) => note(stream, 1)),
    ]);
    expect(results.map((result) => 'events' in result)).toEqual(results.map((_, i) => i !== 5));
    expect(await standing([...first, ...rest, ...beside])).toBe(13);
    await assertLedgerSound(service.owner);
  });

  it('that are atomic fail whole by one that the database refuses, and cost no other command', async () => {
    const taken = fresh(1)[0]!;
    const [first, rest, beside, good] = [fresh(5), fresh(5), fresh(3), fresh(4)] as const;
    await note(taken, 1);
    const [refused, kept] = await Promise.allSettled([
      many([...first, taken, ...rest], true),
      many(good, true),
      ...beside.map((stream) => note(stream, 1)),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'InternalError' } });
    expect(kept.status).toBe('fulfilled');
    expect([await standing([...first, ...rest]), await standing([...good, ...beside])]).toEqual([0, 7]);
    await assertLedgerSound(service.owner);
  });

  it('are refused whole where their owner waits with too many', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => many(fresh(10), false)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(4);
    expect(refused.every(({ reason }) => reason instanceof ServiceUnavailable)).toBe(true);
    await assertLedgerSound(service.owner);
  });
});

describe('the queue', () => {
  it('is bounded: beyond it commands are refused with 503, and those inside it are all carried out', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => note(`note-${newId(PARTITION)}`, 1)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(150);
    expect(refused.every(({ reason }) => reason instanceof ServiceUnavailable)).toBe(true);
    await assertLedgerSound(service.owner);
  });
});

describe('personal data', () => {
  it('is in the log as ciphertext only, is decrypted for reads, and is gone with its key', async () => {
    const subject = taxpayer(newId(0), '52998224725');
    const stream = `named-${newId(PARTITION)}`;
    const { events } = await ledger.execute({
      partition: PARTITION,
      reads: {},
      subjects: [subject],
      decide: () => [Named.create(stream, 1, { name: personal(subject, 'Fulano de Tal') })],
      metadata: { actor: 'test' },
    });
    const [event] = events;
    if (!event || !Named.is(event)) throw new Error('no event');
    const [row] = await service.owner.query<{ data: string }>('select data::text from event where stream = $1', [
      stream,
    ]);
    expect(row!.data).not.toContain('Fulano');
    expect(row!.data).toContain(event.data.name.subject);

    const vault = service.app.get(SubjectVault);
    expect(await vault.open(PARTITION, event.data.name)).toBe('Fulano de Tal');
    const { subject: id } = event.data.name;
    await ledger.execute({
      partition: PARTITION,
      reads: { forgottenSubjects: [id] },
      decide: () => [SubjectForgotten.create(`subject-${id}`, 1, { subject: id, partition: PARTITION })],
      metadata: { actor: 'test' },
    });
    vault.clear();
    expect(await vault.open(PARTITION, event.data.name)).toBeNull();
  });
});

it.each([
  ['after all time, which the log would keep for ever', 'infinity'],
  ['ahead of the newest event, to which no clock has come', '1 hour'],
])('appends nothing where the head is said to be %s', async (_what, ahead) => {
  const head = (time: string, ...values: unknown[]) =>
    service.owner.query(`update log_head set time = ${time}, corrections = corrections + 1 where partition = $1`, [
      PARTITION,
      ...values,
    ]);
  const [before] = await service.owner.query('select time from log_head where partition = $1', [PARTITION]);
  const stream = `note-${newId(PARTITION)}`;
  await head(`time + interval '${ahead}'`);
  await expect(note(stream, 1)).rejects.toThrow();
  await head('$2', before!.time.toISOString());
  await note(stream, 1);
  await assertLedgerSound(service.owner);
});
