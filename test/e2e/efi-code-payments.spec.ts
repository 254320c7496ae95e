import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../../src/pix/domain/values/br-code-encoder.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { saoPauloDay } from '../../src/platform/sao-paulo.js';
import { OperatorApi, type PartnerApi } from '../support/api.js';
import { charge, ChargeBank, original } from '../support/charge-bank.js';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { WEBHOOK } from '../support/pix-bodies.js';

let bank: ChargeBank;
let world: EfiWorld;
let psp: EfiPsp;
let api: PartnerApi;

beforeAll(async () => {
  bank = await ChargeBank.start();
  world = await efiWorld('1000.00', { ...bank.settings, EFI_PAYS_CHARGES: 'true' });
  ({ psp, api } = world);
}, 60_000);

afterAll(async () => {
  await world.stop();
  await bank.stop();
});

const pay = (payment: object) =>
  api.post('/accounts/pix/cashout', { payment, transaction: { orderId: 'pedido-1' }, webhook: WEBHOOK });
async function paid(payment: object): Promise<{ idEnvio: string; amount: string; endToEndId: string }> {
  const answer = await pay(payment);
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  const { id } = answer.body.data.transaction;
  const done = await eventually(
    async () => {
      const { transaction } = (await api.get(`/accounts/transactions/${id}`)).body.data;
      return transaction.state === 'Completed' && transaction;
    },
    { within: 20_000 },
  );
  return { idEnvio: txidOf(id), amount: done.amount, endToEndId: done.endToEndId };
}
const reasonOf = async (payment: object) => {
  const { status, body } = await pay(payment);
  return [status, body.error?.details.reason];
};

describe('codes of charges over Efí, where the operator has chosen that they are paid', () => {
  it('are fetched and checked here, and paid by the code', async () => {
    const qrCode = await bank.serve(charge(original(4_200n)), '/qr/1', 4_200n);
    const { idEnvio, amount } = await paid({ qrCode });
    expect(amount).toBe('42.00');
    const [request] = await psp.asked(new RegExp(`${idEnvio}/qrcode`));
    expect(request!.body).toEqual({ pagador: { chave: PSP_KEY }, pixCopiaECola: qrCode });
    expect(bank.asked).toEqual(['/qr/1', '/jwks']);
  });

  it('whose amount the PSP finds changed are booked as they were checked, and the comparison of the day says so', async () => {
    // The stand-in pays the amount that the code shows.
    const { endToEndId, amount } = await paid({
      qrCode: await bank.serve(charge(original(4_300n)), '/qr/2', 5_000n),
    });
    expect(amount).toBe('43.00');
    const operator = new OperatorApi(world.service.url);
    const differs = await eventually(async () => {
      const { mismatches } = await operator.get(`/reconciliation?date=${saoPauloDay(new Date())}`);
      return mismatches.every(({ ledger }: { ledger: unknown }) => ledger !== null) && mismatches;
    });
    expect(differs).toMatchObject([{ kind: 'PaymentOut', id: endToEndId, rail: '50.00', ledger: '43.00' }]);
  });

  it('are refused where the PSP would pay something else than the partner asked', async () => {
    const dearer = { valor: { original: '42.00', modalidadeAlteracao: 1 } };
    const qrCode = await bank.serve(charge(dearer));
    expect(await reasonOf({ qrCode, value: '50.00' })).toEqual([422, 'QrCodeKindNotSupported']);
    expect(await reasonOf({ qrCode, recipient: { cpf: '52998224725' } })).toEqual([422, 'QrCodeKindNotSupported']);
    expect(await reasonOf({ qrCode: await bank.serve(charge()), value: '1.00' })).toEqual([
      422,
      'QrCodeAmountMismatch',
    ]);
  });
});

describe('codes with a key over Efí', () => {
  const code = (txid: string) =>
    withChecksum(
      `00020126420014br.gov.bcb.pix0120loja+pix@example.com5204000053039865404${'1.00'}5802BR5904Loja6009SAO PAULO62${String(txid.length + 4).padStart(2, '0')}05${String(txid.length).padStart(2, '0')}${txid}`,
    );
  const recipient = { cpf: '52998224725' };

  it('are paid to the key where the partner names a recipient: by the code the PSP would not check it', async () => {
    const { idEnvio } = await paid({ qrCode: code('***'), recipient });
    const [request] = await psp.asked(new RegExp(`^PUT /v3/gn/pix/${idEnvio}`));
    expect(request!.body).toMatchObject({ valor: '1.00', favorecido: { chave: 'loja+pix@example.com', ...recipient } });
  });

  it('are refused there where the code has a txid, which would be lost', async () => {
    expect(await reasonOf({ qrCode: code('PEDIDO7'), recipient })).toEqual([422, 'QrCodeKindNotSupported']);
    const { idEnvio } = await paid({ qrCode: code('PEDIDO7') });
    expect(await psp.asked(new RegExp(`${idEnvio}/qrcode`))).toHaveLength(1);
  });
});
