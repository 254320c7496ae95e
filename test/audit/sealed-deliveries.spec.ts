import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import {
  askAgain,
  ledger,
  named,
  oneWorld,
  sent,
  sentAgain,
  type State,
  stateOf,
  world,
  write,
} from '../support/sealed-world.js';

describe('verify names a delivery', () => {
  oneWorld();
  const sound: string[] = [];
  let found: Record<string, string>;
  const forged: Record<string, string> = {};

  /** A delivery whose receiver refuses it, and of which somebody says otherwise. */
  async function untold(what: string, state: Partial<State>): Promise<void> {
    const id = await sent('/fails', 'Retrying');
    await write(id, state);
    forged[what] = id;
  }

  beforeAll(async () => {
    const told = await sent('/', 'Delivered');
    sound.push(told, await sent('/gone', 'Stopped'), await sent('/fails', 'Retrying'));
    for (const status of ['Delivered', 'Stopped', 'Exhausted']) await untold(status, { status, due_at: null });
    await untold("another's state", await stateOf(told));
    await untold('tries', { tries: 9 });

    const unsealed = await sent('/', 'Delivered');
    await write(unsealed, { seal: null });
    const otherwise = await sent('/', 'Delivered');
    await write(otherwise, { status: 'Exhausted' });

    const once = await sent('/fails-later', 'Delivered');
    const before = await stateOf(once);
    await sentAgain(once, 'Retrying');
    await write(once, { ...before, redelivery_position: (await stateOf(once)).redelivery_position });
    const forgotten = await sent('/', 'Delivered');
    const first = await stateOf(forgotten);
    await sentAgain(forgotten, 'Delivered');
    sound.push(await sent('/', 'Delivered'));
    await sentAgain(sound.at(-1)!, 'Delivered');
    const twice = await sent('/', 'Delivered');
    await sentAgain(twice, 'Delivered');
    const second = await stateOf(twice);
    await sentAgain(twice, 'Delivered');
    await write(forgotten, first);
    await write(twice, second);
    Object.assign(forged, { unsealed, otherwise, once, forgotten, twice });
    found = await named();
  }, 60_000);

  it.each([
    ['Delivered', 'status: Delivered after 1 tries'],
    ['Stopped', 'status: Stopped after 1 tries'],
    ['Exhausted', 'status: Exhausted after 1 tries'],
  ])('whose receiver was not told, where its row says %s', (status, message) => {
    expect(found[forged[status]!]).toBe(message);
  });

  it("under the seal of another's, or without its own", () => {
    expect(found[forged["another's state"]!]).toBe('status: Delivered after 1 tries');
    expect(found[forged.unsealed!]).toBe('status: Delivered after 1 tries');
  });

  it('that ended otherwise', () => {
    expect(found[forged.otherwise!]).toBe('status: Exhausted after 1 tries');
  });

  it('whose tries would soon be over', () => {
    expect(found[forged.tries!]).toBe('status: Retrying after 9 tries');
  });

  it('that was asked for again, under its seal of before', () => {
    expect(found[forged.once!]).toBe('status: Delivered after 1 tries');
  });

  it('that was asked for again, and is as it was before that request, or another one', () => {
    expect(found[forged.forgotten!]).toBe('redelivery_position: nothing');
    expect(found[forged.twice!]).toMatch(/^redelivery_position: [1-9]/);
  });

  it('and none that the service left so', () => {
    expect(Object.keys(found).sort()).toEqual(Object.values(forged).sort());
    for (const id of sound) expect(found).not.toHaveProperty(id);
  });
});

describe('a delivery', () => {
  oneWorld();

  let refused: string, underWay: string, twice: string;
  let found: Record<string, string>;

  beforeAll(async () => {
    refused = await sent('/fails', 'Retrying');
    await write(refused, { tries: 9, due_at: new Date() });
    await world.receiver.arrived('/fails', 2);
    await eventually(async () => (await stateOf(refused)).tries === 1);

    world.receiver.behave('/slow', 'slow 1500');
    underWay = await world.send('/slow');
    await world.receiver.arrived('/slow', 1);
    await askAgain(underWay);
    await eventually(async () => (await stateOf(underWay)).redelivery_position !== '0');
    await world.inStatus(underWay, 'Delivered');
    await eventually(async () => (await stateOf(underWay)).due_at === null);

    twice = await sent('/', 'Delivered');
    await Promise.all([askAgain(twice), askAgain(twice), askAgain(twice)]);
    await sentAgain(twice, 'Delivered');
    found = await named();
  }, 60_000);

  it('is not given up because its row says that all tries are over', async () => {
    expect(await stateOf(refused)).toMatchObject({ status: 'Retrying', due_at: expect.any(Date) });
    expect(found).not.toHaveProperty(refused);
  });

  it('that was asked for again while it was under way is sealed for both', () => {
    expect(found).not.toHaveProperty(underWay);
  });

  it('whose redelivery is asked for twice at once has the mark of the newer request', () => {
    expect(found).not.toHaveProperty(twice);
  });

  it('is not named otherwise either', () => {
    expect(found).toEqual({});
  });

  it('keeps its seal when the master key is rotated', async () => {
    await sent('/', 'Delivered');
    await world.service.stop();
    const folder = await mkdtemp(join(tmpdir(), 'new-key-'));
    try {
      const [file, key] = [join(folder, 'key'), Buffer.alloc(32, 9).toString('base64')];
      await writeFile(file, key);
      expect(await ledger(['rotate-master-key', '--new-key-file', file])).toMatchObject({ code: 0 });
      expect(await named({ MASTER_KEY: key })).toEqual({});
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 30_000);
});

describe('ledger seal-deliveries', () => {
  oneWorld();

  it('seals what a version before left, and nothing of later events', async () => {
    const before = [await sent('/', 'Delivered'), await sent('/gone', 'Stopped'), await sent('/fails', 'Retrying')];
    const again = await sent('/', 'Delivered');
    await world.database.query('update webhook_delivery set seal = null');
    expect(Object.keys(await named()).sort()).toEqual([...before, again].sort());
    const upgraded = new Date().toISOString();
    await sentAgain(again, 'Delivered');
    const later = [await sent('/', 'Delivered'), again];
    for (const id of later) await write(id, { seal: null });

    const sealed = () => ledger(['seal-deliveries', '--before', upgraded]);
    expect(await sealed()).toMatchObject({ code: 0, stdout: '3 deliveries are sealed as they are.\n' });
    expect(Object.keys(await named()).sort()).toEqual(later.sort());
    expect(await sealed()).toMatchObject({ code: 0, stdout: '0 deliveries are sealed as they are.\n' });
  }, 30_000);

  it('seals nothing with another pepper', async () => {
    const another = { KEY_PEPPER: Buffer.alloc(32, 3).toString('base64') };
    const refused = await ledger(['seal-deliveries', '--before', new Date().toISOString()], another);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('KEY_PEPPER') });
  });
});
