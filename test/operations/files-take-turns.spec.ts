import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import { RecordLines } from '../../src/payout-files/commands/record-lines/record-lines.command.js';
import { Overloaded } from '../../src/platform/errors/index.js';
import { type Credentials, OperatorApi, PartnerApi } from '../support/api.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';

/** Of one partner, on two accounts. */
const FILES = 6;
/** Of a file: refused lines, for three turns of some five steps. */
const LINES = 8_000;
const STEP_MS = 200;

let service: InProcessOwning;
let operator: OperatorApi;
let url: string;

beforeAll(async () => {
  service = await startWithDatabase();
  await service.app.listen(0, '127.0.0.1');
  url = await service.app.getUrl();
  operator = new OperatorApi(url);
}, 60_000);

afterAll(() => service.close());

async function filesOf(credentials: Credentials): Promise<PayoutFiles> {
  return new PayoutFiles(url, (await PartnerApi.login(url, credentials)).token);
}

async function accepted(files: PayoutFiles): Promise<string> {
  const { status, body } = await files.upload(payoutCsv(LINES));
  expect(status).toBe(201);
  return body.data.id as string;
}

/**
 * The files that run, in the order of their turns. None goes on before they are let to, and then they take their time.
 */
function heldTurns() {
  const ran: string[] = [];
  let areHeld = true;
  const bus = service.app.get(CommandBus);
  const execute = bus.execute.bind(bus);
  bus.execute = async (command: ICommand) => {
    if (command instanceof RecordLines) {
      if (areHeld) throw new Overloaded('held');
      if (ran.at(-1) !== command.file.id) ran.push(command.file.id);
      await sleep(STEP_MS);
    }
    return execute(command);
  };
  return { ran, letGo: () => void (areHeld = false) };
}

it('a partner with one file has every second turn, however many files another has', async () => {
  const { ran, letGo } = heldTurns();
  const other = await operator.partner(['0.00', '0.00']);
  const second = await operator.post(`/accounts/${other.accounts[1]}/access-keys`, {});
  for (const credentials of [other.credentials, second]) {
    const files = await filesOf(credentials);
    for (let i = 0; i < FILES / 2; i++) await accepted(files);
  }
  const files = await filesOf((await operator.partner(['0.00'])).credentials);
  const id = await accepted(files);
  letGo();
  await files.ended(id, 60_000);
  const own = ran.flatMap((one, i) => (one === id ? [i] : []));
  expect(own.length).toBeGreaterThan(1);
  expect(own[0]).toBeLessThanOrEqual(1);
  expect(own.slice(1).map((at, i) => at - own[i]!)).toEqual(Array(own.length - 1).fill(2));
}, 120_000);
