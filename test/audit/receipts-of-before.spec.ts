import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { oneWorld, sentAgain, verified, world } from '../support/sealed-world.js';

interface Material {
  readonly fields: { readonly id: string; readonly receiptToken?: string | null; readonly transactionReceipt?: string };
}

/** The delivery's content as the first versions wrote it, with the address that they had told. */
async function writtenBefore(id: string, token?: string): Promise<void> {
  const [row] = await world.database.query<{ material: Material }>(
    'select material from webhook_delivery where id = $1',
    [id],
  );
  const { receiptToken, ...fields } = row!.material.fields;
  const address = `https://before.example/pix/receipts/${fields.id}/${token ?? receiptToken}`;
  const material = {
    ...row!.material,
    fields: { ...fields, transactionReceipt: receiptToken === null ? '' : address },
  };
  await world.database.query('update webhook_delivery set material = $2 where id = $1', [id, JSON.stringify(material)]);
}

const told = (id: string) => JSON.parse(world.receiver.receipts.findLast((one) => one.id === id)!.body);

describe('deliveries whose content has the address of a receipt in place of its token, as the first versions wrote it,', () => {
  oneWorld();
  let deposit: string;
  let test: string;

  beforeAll(async () => {
    deposit = await world.paidIn('/', '52998224725');
    await world.inStatus(deposit, 'Delivered');
    test = await world.send('/');
    await world.inStatus(test, 'Delivered');
    await writtenBefore(deposit);
    await writtenBefore(test);
  }, 30_000);

  it('are what their events make', async () => {
    expect(await verified()).toEqual({ code: 0, named: {}, warnings: [] });
  });

  it('are sent again, with an address that opens the receipt', async () => {
    await sentAgain(deposit, 'Delivered');
    await sentAgain(test, 'Delivered');
    expect(told(test).transactionReceipt).toBe('');
    const { pathname } = new URL(told(deposit).transactionReceipt);
    expect(await call(world.service.url, 'GET', pathname)).toMatchObject({ status: 200 });
  });

  it('are divergences with the token of another receipt', async () => {
    await writtenBefore(deposit, 'another');
    expect(await verified()).toMatchObject({
      code: 1,
      named: { [deposit]: 'material.fields.receiptToken: "another"' },
    });
  });
});
