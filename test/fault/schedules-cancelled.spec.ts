import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { OpenAccount, RegisterPartner } from '../../src/accounts/index.js';
import type { Principal } from '../../src/auth/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { CancelSchedule } from '../../src/schedules/commands/cancel-schedule/cancel-schedule.command.js';
import { CreateSchedule } from '../../src/schedules/commands/create-schedule/create-schedule.command.js';
import { CancelTransfer } from '../../src/transfers/index.js';
import { assertLedgerSound } from '../support/audit.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';

const ACTOR = 'operator:test';
const HOLDER = { name: 'Agenda Ltda', taxNumber: '11222333000181' };

/** Commands that begin in the same turn of the event loop are in one batch: they share its rows. */
let service: InProcessOwning;
let commands: CommandBus;
let caller: Principal;
let destinationUid: string;

beforeAll(async () => {
  service = await startWithDatabase();
  commands = service.app.get(CommandBus);
  const { uid: partnerUid } = await commands.execute(new RegisterPartner(HOLDER.name, HOLDER.taxNumber, ACTOR));
  const { uid: accountUid } = await commands.execute(new OpenAccount(partnerUid, HOLDER, ACTOR));
  destinationUid = (await commands.execute(new OpenAccount(partnerUid, HOLDER, ACTOR))).uid;
  caller = { accessKey: 'key', accountUid, partnerUid, partition: partitionOf(accountUid)!, permissions: [] };
});

afterAll(async () => {
  await assertLedgerSound(service.owner);
  await service.close();
});

async function schedule() {
  const startsAt = new Date(Date.now() + 86_400_000);
  const transfer = { destinationUid, amount: 100n, description: undefined };
  const asked = { every: 'week' as const, startsAt, end: { count: 3 }, transfer };
  const made = await commands.execute(new CreateSchedule(caller, asked, 'test', undefined));
  return { id: made.schedule.id, run: made.schedule.runs[0]!.transactionId };
}

const statesOf = async (id: string, run: string) => {
  const rows = await service.owner.query<{ state: string }>(
    `select state from schedule where id = $1 union all select state from transaction where id = $2`,
    [id, run],
  );
  return rows.map(({ state }) => state);
};

describe('the cancellation of a schedule', () => {
  it('is done in one batch with that of its run, which comes after it', async () => {
    const { id, run } = await schedule();
    await Promise.all([
      commands.execute(new CancelSchedule(caller, id, 'test')),
      commands.execute(new CancelTransfer(caller, run, 'test')),
    ]);
    expect(await statesOf(id, run)).toEqual(['Cancelled', 'Cancelled']);
  });
});
