import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import { RecordLines } from '../../src/payout-files/commands/record-lines/record-lines.command.js';
import { PayoutFileRows } from '../../src/payout-files/payout-file-rows.js';
import { RequestCashOuts } from '../../src/pix/index.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';
import { PayoutFiles, payoutCsv } from '../support/payout-files.js';
import { type StandbyLab, startWithStandby } from '../support/standby-lab.js';

let lab: StandbyLab;
let service: InProcess;

beforeEach(async () => {
  lab = await startWithStandby();
  service = await startInProcess(lab);
  await service.app.listen(0, '127.0.0.1');
}, 60_000);

afterEach(async () => {
  jest.restoreAllMocks();
  await service?.app.close();
  await service?.database.close();
  await lab?.remove();
}, 60_000);

/** Has something happen before the first command of each of these kinds. */
function beforeFirst(happenings: ReadonlyMap<unknown, () => Promise<void>>): void {
  const bus = service.app.get(CommandBus);
  const execute = bus.execute.bind(bus) as (command: ICommand) => Promise<never>;
  const left = new Map(happenings);
  jest.spyOn(bus, 'execute').mockImplementation(async (command: ICommand) => {
    const happens = left.get(command.constructor);
    left.delete(command.constructor);
    await happens?.();
    return execute(command);
  });
}

it('lines whose payouts are gone with a standby that lagged are not recorded as registered: they are paid', async () => {
  const url = await service.app.getUrl();
  const { credentials } = await new OperatorApi(url).partner(['1000.00']);
  const { token } = await PartnerApi.login(url, credentials);
  beforeFirst(
    new Map<unknown, () => Promise<void>>([
      [RequestCashOuts, () => lab.cutOff()],
      [RecordLines, () => lab.failOver()],
    ]),
  );
  const files = new PayoutFiles(url, token);
  const { status, body } = await files.upload(payoutCsv(5));
  expect(status).toBe(201);
  expect(await files.ended(body.data.id)).toMatchObject({ state: 'Completed', lines: 5 });
  const lines = await eventually(async () => {
    const results = await files.results(body.data.id);
    return results.every(({ state }) => state !== 'Registered') && results;
  });
  expect(lines).toEqual(Array(5).fill(expect.objectContaining({ state: 'Completed' })));
}, 120_000);

it('a file whose lines are gone with it is not accepted: nothing was done', async () => {
  const url = await service.app.getUrl();
  const { credentials } = await new OperatorApi(url).partner(['1000.00']);
  const { token } = await PartnerApi.login(url, credentials);
  // Its last question before the acceptance.
  const rows = service.app.get(PayoutFileRows, { strict: false });
  const running = rows.running.bind(rows);
  jest.spyOn(rows, 'running').mockImplementationOnce(async (...asked) => {
    const found = await running(...asked);
    await lab.failOver();
    return found;
  });
  await lab.cutOff();
  const files = new PayoutFiles(url, token);
  const { status, body } = await files.upload(payoutCsv(5), { 'idempotency-key': 'file' });
  expect([status, body.error]).toEqual([
    503,
    { name: 'ServiceUnavailable', message: 'What was stored for this is gone. Nothing was done.' },
  ]);
  const again = await files.upload(payoutCsv(5), { 'idempotency-key': 'file' });
  expect(again.status).toBe(201);
  expect(await files.ended(again.body.data.id)).toMatchObject({ state: 'Completed', counts: { waiting: 0, error: 0 } });
}, 120_000);
