import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { CreditAccount, OpenAccount, RegisterPartner } from '../../src/accounts/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';

/** A partition that has more events than 32 bits count. */
const LONG_LOG = 2n ** 32n;

let service: InProcessOwning;

beforeAll(async () => {
  service = await startWithDatabase();
});

afterAll(() => service.close());

it('appends behind four thousand million events, first with everything loaded, then by memory', async () => {
  const commands = service.app.get(CommandBus);
  const holder = { name: 'Longa História Ltda', taxNumber: '11222333000181' };
  const { uid: partnerUid } = await commands.execute(
    new RegisterPartner(holder.name, holder.taxNumber, 'operator:test'),
  );
  const { uid } = await commands.execute(new OpenAccount(partnerUid, holder, 'operator:test'));
  // The newest event is there.
  await service.owner.query(
    `insert into event
     select e.partition, $2, gen_random_uuid(), 'long', 1, e.type, e.schema_version, e.time, e.data, e.metadata, e.leaf
     from event e join log_head h using (partition) where e.partition = $1 and e.position = h.position`,
    [partitionOf(uid), LONG_LOG],
  );
  // A tree of so many leaves has one peak, which is its root.
  await service.owner.query('update log_head set position = $2, root = $3, peaks = $3 where partition = $1', [
    partitionOf(uid),
    LONG_LOG,
    Buffer.alloc(32, 7),
  ]);
  for (let i = 0; i < 3; i++) await commands.execute(new CreditAccount(uid, 100n, 'Test', 'operator:test'));
  const events = await service.owner.query<{ position: string }>(
    'select position from event where partition = $1 and position > $2 order by position',
    [partitionOf(uid), LONG_LOG],
  );
  expect(events.map(({ position }) => BigInt(position))).toEqual([LONG_LOG + 1n, LONG_LOG + 2n, LONG_LOG + 3n]);
});
