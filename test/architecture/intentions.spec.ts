import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Follower, LeasedWork, Subscriptions } from '../../src/event-store/index.js';
import { MED_SWEEP, MED_WORK } from '../../src/med/workers/med-work.js';
import { PIX_TIMERS } from '../../src/pix/workers/pix-work.js';
import { taskSource } from '../../src/pix/rails/sandbox/tasks.js';
import { WEBHOOK_SOURCE } from '../../src/webhooks/deliveries/delivery-work.js';
import { testAuthority } from '../support/certificates.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { efiSettings } from '../support/efi-psp.js';
import { type InProcess, startInProcess } from '../support/in-process.js';
import { PSP_KEY } from '../support/model-psp-books.js';

/** `ledger verify` compares open work with the log by what sagas say that they intend. */

/** Kinds of work that no saga intends, and why nothing is lost with a row of theirs. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ...Object.values(PIX_TIMERS).map(({ kind }) => [kind, 'A timer that the service makes again every minute.'] as const),
  [MED_SWEEP.kind, 'A timer that the service makes again every minute.'],
  [MED_WORK.wake, 'A hint: each case is looked at every day.'],
  [WEBHOOK_SOURCE, 'Deliveries stay when they have ended: verified as rows that the saga keeps.'],
  [taskSource.name, 'The books of a bank that is only simulated.'],
]);

const intendedBy = (followers: readonly Follower[]) =>
  new Set(followers.flatMap(({ intends }) => [...(intends?.kinds.keys() ?? [])]));

const unseen = (kinds: readonly string[], followers: readonly Follower[]) =>
  kinds.filter((kind) => !intendedBy(followers).has(kind) && !OTHERS.has(kind));

let database: TestDatabase;
let services: InProcess[];

// The kinds of work depend on the rail. Nobody asks this one: a process of this role does no work.
beforeAll(async () => {
  database = await createDatabase();
  const authority = testAuthority('Authority of nobody');
  const psp = { baseUrl: 'https://127.0.0.1:9' } as Parameters<typeof efiSettings>[0];
  const rails = [{}, efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-webhook-address-0123456789')];
  services = [];
  for (const rail of rails) services.push(await startInProcess(database, { ...rail, ROLE: 'api' }));
}, 60_000);

afterAll(async () => {
  for (const service of services) await service.close();
  await database.drop();
});

const kindsOf = ({ app }: InProcess) =>
  app
    .get(LeasedWork)
    .sources()
    .map(({ name }) => name);
const followersOf = ({ app }: InProcess) => app.get(Subscriptions).all();

describe('the work of every module', () => {
  it('is what a saga says that it intends, or named here with a reason', () => {
    for (const service of services) {
      expect(kindsOf(service).length).toBeGreaterThan(10);
      expect(unseen(kindsOf(service), followersOf(service))).toEqual([]);
    }
  });

  it('is worked on where a saga intends it', () => {
    for (const service of services) {
      expect(kindsOf(service)).toEqual(expect.arrayContaining([...intendedBy(followersOf(service))]));
    }
  });

  it('leaves no reason over', () => {
    const kinds = new Set(services.flatMap(kindsOf));
    const intended = intendedBy(services.flatMap(followersOf));
    expect([...OTHERS.keys()].filter((kind) => !kinds.has(kind) || intended.has(kind))).toEqual([]);
  });

  it('is found where no saga intends it', () => {
    const [service] = services;
    const forgetful = followersOf(service!).filter(({ name }) => name !== 'schedules');
    expect(unseen(kindsOf(service!), forgetful).sort()).toEqual(['schedule-next-run', 'scheduled-run']);
  });
});
