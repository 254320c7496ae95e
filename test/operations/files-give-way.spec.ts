import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import { AwaitedCommands } from '../../src/event-store/index.js';
import { RecordLines } from '../../src/payout-files/commands/record-lines/record-lines.command.js';
import { CHUNK_LINES, CHUNKS_AT_ONCE } from '../../src/payout-files/domain/payout-file.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';

/** Chunks that are recorded while the process is busy. */
const BUSY = 3;

let service: InProcessOwning;
let files: PayoutFiles;
let spinning: NodeJS.Timeout | undefined;

beforeAll(async () => {
  service = await startWithDatabase();
  await service.app.listen(0, '127.0.0.1');
  const url = await service.app.getUrl();
  const partner = await new OperatorApi(url).partner(['10000.00']);
  files = new PayoutFiles(url, (await PartnerApi.login(url, partner.credentials)).token);
}, 60_000);

afterAll(async () => {
  clearInterval(spinning);
  await service.close();
});

/** Single commands come, and the event loop is in use for most of the time. */
function keepBusy(): void {
  const awaited = service.app.get(AwaitedCommands);
  spinning = setInterval(() => {
    awaited.single += 50;
    for (const end = performance.now() + 17; performance.now() < end;);
  }, 20);
}

interface Step {
  readonly chunks: number;
  readonly at: number;
}

/** How many chunks the runner records at once from now on, and when. @param each called at every one */
function recorded(each: (steps: readonly Step[]) => void): readonly Step[] {
  const steps: Step[] = [];
  const bus = service.app.get(CommandBus);
  const execute = bus.execute.bind(bus);
  bus.execute = (command: ICommand) => {
    if (command instanceof RecordLines) {
      steps.push({ chunks: command.ran?.length ?? 0, at: performance.now() });
      each(steps);
    }
    return execute(command);
  };
  return steps;
}

it('a file has one chunk a turn requested while single commands keep the process busy, and the rest at once', async () => {
  keepBusy();
  // One may begin before anybody has looked at the process: not that which is counted.
  await files.ended((await files.upload(payoutCsv(1, 'first'))).body.data.id);
  const steps = recorded(({ length }) => length === BUSY && clearInterval(spinning));
  const lines = CHUNK_LINES * (BUSY + CHUNKS_AT_ONCE);
  const { id } = (await files.upload(payoutCsv(lines))).body.data;
  expect(await files.ended(id)).toMatchObject({ state: 'Completed', lines });
  expect(steps.map(({ chunks }) => chunks)).toEqual([...Array(BUSY).fill(1), CHUNKS_AT_ONCE]);
  const rests = steps.slice(1, BUSY).map(({ at }, i) => at - steps[i]!.at);
  expect(Math.min(...rests)).toBeGreaterThan(900);
}, 60_000);
