import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { divergences } from '../support/ledger-cli.js';
import { pdfText } from '../support/pdf-text.js';
import { type CashIn, PixEdge, PUBLIC_URL } from '../support/pix-edge.js';
import { asService } from '../support/tamper.js';

/**
 * Somebody with the password of the service's role changes the row of a deposit while its payer looks at the code, and
 * puts it back afterwards.
 */
let edge: PixEdge;
beforeAll(async () => {
  edge = await PixEdge.start();
}, 60_000);
afterAll(() => edge?.stop());

const imageOf = ({ qrCodeLocation }: CashIn) => edge.get(qrCodeLocation);
const chargeOf = ({ id }: CashIn) => edge.get(`/pix/payload/${id.replaceAll('-', '')}`);
const receiptOf = async (address: string) => {
  const response = await fetch(address.replace(PUBLIC_URL, edge.service.url));
  return pdfText(Buffer.from(await response.arrayBuffer())).lines;
};
const readCharge = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString());

/** Has something asked for while columns of its row are as given. */
async function whileRowHas<T>({ id }: CashIn, changed: string, ask: () => Promise<T>): Promise<T> {
  const [row] = await edge.database.query(
    'select amount, state, order_id, details::text as details from transaction where id = $1',
    [id],
  );
  await asService(edge.database, `update transaction set ${changed} where id = '${id}'`);
  try {
    return await ask();
  } finally {
    await edge.database.query(
      'update transaction set amount = $2, state = $3, order_id = $4, details = $5::json where id = $1',
      [id, row!.amount, row!.state, row!.order_id, row!.details],
    );
  }
}

describe('the code of a deposit, while its row is changed and put back,', () => {
  it('is that of its event: no payer is shown one that pays somebody else', async () => {
    const [deposit, another] = [await edge.cashIn('10.00'), await edge.cashIn('10.00')];
    const details = `details = jsonb_set(details::jsonb, '{qrCode}', to_jsonb('${another.qrCode}'::text))::json`;
    const shown = await whileRowHas(deposit, details, () => imageOf(deposit));

    expect(shown.body).not.toEqual((await imageOf(another)).body);
    expect(shown.body).toEqual((await imageOf(deposit)).body);
  }, 60_000);

  it('has the charge of its event: nothing else is signed', async () => {
    const deposit = await edge.cashIn('10.00');
    const { status, body } = await whileRowHas(deposit, `amount = 90000, order_id = 'outro'`, () => chargeOf(deposit));

    expect(status).toBe(200);
    expect(readCharge(body)).toMatchObject({
      valor: { original: '10.00' },
      infoAdicionais: [{ nome: 'Pedido', valor: 'pedido-1' }],
    });
  }, 60_000);

  it('cannot be paid any more once its deposit has ended', async () => {
    const deposit = await edge.cashIn('10.00');
    await edge.pay(deposit.qrCode);
    await edge.reaches(deposit.id, 'Completed');
    const ask = () => Promise.all([imageOf(deposit), chargeOf(deposit)]);
    const answers = await whileRowHas(deposit, `state = 'Registered'`, ask);

    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
  }, 60_000);

  it('has the receipt of its events: it proves nothing else', async () => {
    const deposit = await edge.cashIn('10.00');
    await edge.pay(deposit.qrCode);
    await edge.reaches(deposit.id, 'Completed');
    const address = await edge.receiptAddress(deposit.id);
    const shown = await whileRowHas(deposit, 'amount = 90000', () => receiptOf(address));

    expect(shown).not.toEqual([]);
    expect(shown).toEqual(await receiptOf(address));
  }, 60_000);

  it('was changed by nothing that verify would tell of afterwards', async () => {
    expect(await divergences(edge.database)).toEqual([]);
  }, 60_000);
});
