import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';

const LAG_S = 1;
const SEND = /^PUT \/v3\/gn\/pix\//;
const REFUSED = { kind: 'status', status: 422, body: { nome: 'pagamento_negado', mensagem: 'negado' } } as const;

let world: EfiWorld;
let psp: EfiPsp;

beforeAll(async () => {
  world = await efiWorld('100.00', { EFI_LOOKUP_LAG_SECONDS: String(LAG_S) });
  ({ psp } = world);
}, 60_000);

afterAll(() => world.stop());

describe('a payout that the PSP accepts after it has refused it', () => {
  it('is not ended by the refusal of its repetition, while the look-up does not find it yet', async () => {
    await psp.callbacks({ on: false });
    await psp.behave({ lag: 4 });
    await psp.fail(SEND, { kind: 'lost before' });
    await psp.fail(SEND, REFUSED);
    const id = await world.payOut('1.00');
    await eventually(async () => (await psp.sent()).some(({ idEnvio }) => idEnvio === txidOf(id)), { within: 20_000 });
    await psp.fail(SEND, REFUSED);
    const ended = await eventually(
      async () => {
        const { transaction } = (await world.api.get(`/accounts/transactions/${id}`)).body.data;
        return transaction.state !== 'Registered' && transaction;
      },
      { within: 25_000 },
    );
    expect(ended).toMatchObject({ state: 'Completed' });
    const tries = await psp.asked(SEND);
    expect(tries.map(({ status }) => status)).toEqual([0, 422, 201, 422, 409]);
  });

  it('is looked up, and the log says so, where the PSP says that it has it and does not find it', async () => {
    await world.calm();
    await psp.fail(SEND, { kind: 'status', status: 409, body: { nome: 'id_envio_duplicado', mensagem: 'duplicado' } });
    const id = await world.payOut('2.00');
    await eventually(() => world.service.output().includes('the PSP has a payment already, and its look-up does not'));
    expect(await world.completed(id)).toMatchObject({ amount: '2.00' });
  });
});
