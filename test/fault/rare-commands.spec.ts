import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { RegisterPartner } from '../../src/accounts/index.js';
import { SetDefaultLimits } from '../../src/accounts/commands/set-default-limits/set-default-limits.command.js';
import { WholeStreams } from '../../src/event-store/log/whole-streams.js';
import { nextCnpj } from '../support/api.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { ACTOR } from '../support/money-play.js';

let running: InProcessOwning;

beforeAll(async () => {
  running = await startWithDatabase({ ROLE: 'api', LIMIT_RAISE_DELAY_SECONDS: '0' });
}, 60_000);

afterAll(() => running.close());

it('an act of which nothing comes is answered, though others do and undo it while its events are read', async () => {
  const { app } = running;
  const commands = app.get(CommandBus);
  const { uid } = await commands.execute(new RegisterPartner('Teste', nextCnpj(), ACTOR));
  const limit = (day: string) => commands.execute(new SetDefaultLimits(uid, { day }, ACTOR));
  await limit('100');
  const streams = app.get(WholeStreams, { strict: false });
  const read = streams.read.bind(streams);
  let reads = 0;
  streams.read = async (...asked) => {
    if ((reads += 1) > 1) return read(...asked);
    await limit('200');
    const events = await read(...asked);
    await limit('100');
    return events;
  };
  await limit('100');
  expect(reads).toBe(2);
});
