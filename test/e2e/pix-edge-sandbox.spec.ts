import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { crc16 } from '../../src/pix/domain/values/crc16.js';
import { encodeDynamicBrCode } from '../../src/pix/domain/values/br-code.js';
import { pixVectors } from '../support/pix-vectors.js';
import { call } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';
import { type Service, startService } from '../support/service.js';

const UNKNOWN = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e';
const AS_IT_IS = { notifications: 'deliver', delayMs: 0, copies: 1, refunds: 'settle' };
const account = { ispb: '12345678', branch: '0001', number: '7654321', digit: '0' };

describe('the sandbox rail', () => {
  let edge: PixEdge;
  beforeAll(async () => (edge = await PixEdge.start()));
  afterAll(() => edge.stop());

  const available = async () => (await edge.api.balance(edge.partner.accounts[0]!)).available;
  const code = async (original = '10.00', more = {}) => (await edge.cashIn(original, more)).qrCode;

  describe('payouts, by their centavos', () => {
    it('completes any other amount by itself', async () => {
      const { endToEndId } = await edge.reaches(await edge.cashOut('10.00'), 'Completed');
      expect(endToEndId).toMatch(/^E12345678\d{12}[0-9A-Za-z]{11}$/);
    });

    it('refuses .97 because the account is closed', async () => {
      const before = await available();
      await expect(edge.reaches(await edge.cashOut('10.97'), 'Error')).resolves.toMatchObject({ errorReason: 'AC07' });
      await expect(available()).resolves.toBe(before);
    });

    it('returns .99 before completion', async () => {
      const before = await available();
      await edge.reaches(await edge.cashOut('10.99'), 'Reversed');
      await expect(available()).resolves.toBe(before);
    });

    it('completes .96, and a second later the payee sends half of it back', async () => {
      const id = await edge.cashOut('10.96');
      const { stateDates } = await edge.reaches(id, 'Completed');
      const [refund] = await eventually(async () => {
        const refunds = await edge.refundsOf(id);
        return refunds.length > 0 && refunds;
      });
      expect(refund).toMatchObject({ type: 'Refund', state: 'Completed', amount: '5.48' });
      const after = Date.parse(refund.stateDates.Completed) - Date.parse(stateDates.Completed);
      expect(after).toBeGreaterThan(700);
      expect(after).toBeLessThan(5_000);
    });

    it.each([
      ['complete', 'Completed'],
      ['fail', 'Error'],
      ['reverse', 'Reversed'],
    ] as const)('leaves .98 until it is forced: %s', async (force, state) => {
      const id = await edge.cashOut('1.98');
      const later = await edge.cashOut('1.00');
      await edge.reaches(later, 'Completed');
      await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Registered' });
      const answer = await edge.force(id, force);
      expect([answer.status, answer.body]).toEqual([200, { statusCode: 'Done', data: { id, state } }]);
      await expect(edge.transaction(id)).resolves.toMatchObject({ state });
      for (const again of ['complete', 'fail', 'reverse'] as const) {
        const refused = await edge.force(id, again);
        expect([refused.status, refused.body.error?.details.reason]).toEqual([422, 'TransitionNotAllowed']);
      }
    });

    it.each([
      ['an e-mail', { key: { type: 'EMAIL', value: 'maria+notfound@example.com' } }],
      ['an EVP', { key: { type: 'EVP', value: '00000000-0000-0000-0000-000000000404' } }],
      ["another's key", { key: { type: 'EVP', value: '00000000-0000-0000-0000-000000000409' }, account }],
    ])('ends in Error for a scripted key: %s', async (_which, payee) => {
      const before = await available();
      const { errorReason } = await edge.reaches(await edge.cashOut('10.00', payee), 'Error');
      expect(errorReason).not.toBe('');
      await expect(available()).resolves.toBe(before);
    });
  });

  describe("the payer's bank", () => {
    it('pays a code once; the second payment comes back', async () => {
      const before = await available();
      const qrCode = await code('10.00');
      const first = await edge.pay(qrCode);
      expect([first.status, first.body]).toEqual([
        201,
        { statusCode: 'Done', data: { endToEndId: expect.stringMatching(/^E99999008/), outcome: 'Settled' } },
      ]);
      const second = await edge.pay(qrCode);
      expect([second.status, second.body.data.outcome]).toEqual([201, 'Returned']);
      expect(Number(await available())).toBeCloseTo(Number(before) + 10, 2);
    });

    it('pays one of many at once', async () => {
      const before = await available();
      const qrCode = await code('10.00');
      const answers = await Promise.all(Array.from({ length: 8 }, () => edge.pay(qrCode)));
      expect(answers.map((answer) => answer.body.data.outcome).sort()).toEqual([
        ...Array.from({ length: 7 }, () => 'Returned'),
        'Settled',
      ]);
      expect(Number(await available())).toBeCloseTo(Number(before) + 10, 2);
    });

    it('gets its money back when it is late', async () => {
      const { id, qrCode } = await edge.cashIn('10.00', { expiresIn: 1 });
      await eventually(async () => (await edge.get(`/pix/qrcode/${id}`)).status === 410);
      expect((await edge.pay(qrCode)).body.data.outcome).toBe('Returned');
      await edge.reaches(id, 'Cancelled');
    });

    it.each([
      ['another amount', {}, { amount: '9.99' }],
      ['another tax number', { payer: { cpf: '11144477735' } }, {}],
      ['another account', { payer: { account } }, {}],
    ])('gets its money back when it does not fit: %s', async (_what, request, paid: { amount?: string }) => {
      const { id, qrCode } = await edge.cashIn('10.00', request);
      expect((await edge.pay(qrCode, {}, paid.amount)).body.data.outcome).toBe('Returned');
      await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Error' });
      const [refund] = await eventually(async () => {
        const rows = await edge.database.query(
          `select r.amount, r.status from sandbox.refund_out r join sandbox.payment_in p using (end_to_end_id)
           where p.txid = $1`,
          [id.replaceAll('-', '')],
        );
        return rows.length > 0 && rows;
      });
      expect(refund).toEqual({ amount: paid.amount ? '999' : '1000', status: 'Settled' });
    });

    it.each(pixVectors.brCodes.invalid)('refuses a damaged code: $why', async ({ code: damaged }) => {
      const answer = await edge.pay(damaged);
      expect([answer.status, answer.body.error.name, answer.body.error.details[0].path]).toEqual([
        400,
        'InvalidInputError',
        'qrCode',
      ]);
    });

    it('refuses a code of ours with one character changed', async () => {
      const qrCode = await code('10.00');
      expect((await edge.pay(qrCode.replace('10.00', '10.01'))).status).toBe(400);
    });

    it('pays what the charge says, not what a code with a mended checksum says', async () => {
      const { id, qrCode } = await edge.cashIn('10.00');
      const body = qrCode.replace('10.00', '00.01').slice(0, -4);
      expect((await edge.pay(body + crc16(body))).body.data.outcome).toBe('Settled');
      await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Completed', amount: '10.00' });
    });

    it('does not know codes that were not made here', async () => {
      const merchant = { merchantName: 'Loja', merchantCity: 'SAO PAULO' };
      const txid = UNKNOWN.replaceAll('-', '');
      const [, path] = /br\.gov\.bcb\.pix25\d\d(.*?)5204/.exec(await code())!;
      const foreign = [
        ...pixVectors.brCodes.valid,
        encodeDynamicBrCode({ location: `pix.exemplo.br/pix/payload/${txid}`, ...merchant }),
        encodeDynamicBrCode({ location: path!.replace('exemplo', 'example'), ...merchant }),
      ];
      for (const amount of ['1.00', undefined]) {
        for (const one of foreign) {
          const answer = await edge.pay(one, {}, amount);
          expect([one, answer.status, answer.body.error?.name]).toEqual([one, 404, 'EntityNotFound']);
        }
      }
    });

    it.each([
      ['none', ''],
      ['one of nothing', '54040.00'],
    ])('asks for an amount where a code of its key names %s', async (_what, amount) => {
      const key = '0014br.gov.bcb.pix01367d9f0335-8dcc-4054-9bf9-0dbd61d36906';
      const body = `0002012658${key}520400005303986${amount}5802BR5904Loja6009SAO PAULO62070503***6304`;
      const answer = await edge.pay(body + crc16(body));
      expect([answer.status, answer.body.error?.details]).toEqual([
        400,
        [expect.objectContaining({ path: 'amount', code: 'Required' })],
      ]);
      expect((await edge.pay(body + crc16(body), {}, '1.00')).status).toBe(201);
    });

    it('reports every fault of its body at once', async () => {
      const answer = await edge.sandbox('POST', '/payments', {
        qrCode: await code(),
        payer: { name: 1, taxNumber: '123', ispb: '1', branch: '1' },
        amount: '1,00',
      });
      expect(answer.status).toBe(400);
      expect(answer.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
        'amount',
        'payer.branch',
        'payer.ispb',
        'payer.name',
        'payer.number',
        'payer.taxNumber',
      ]);
      const { details } = (await edge.pay('no code', { ispb: '1', type: 'Gold' }, '1,00')).body.error;
      expect(details).toMatchObject([
        { path: 'payer.ispb', code: 'InvalidFormat' },
        { path: 'payer.type', code: 'NotAllowed', info: { allowedValues: expect.anything() } },
        { path: 'amount', code: 'InvalidFormat' },
        { path: 'qrCode', code: 'InvalidFormat', info: { rule: expect.any(String) } },
      ]);
    });

    it('takes null for absent', async () => {
      const payer = { ...PAYER, type: null };
      const answer = await edge.sandbox('POST', '/payments', { qrCode: await code(), payer, amount: null });
      expect([answer.status, answer.body.data?.outcome]).toEqual([201, 'Settled']);
    });
  });

  describe('deposits that are forced', () => {
    it.each([
      ['nobody', {}],
      ['a tax number', { payer: { cpf: '12ABC34501DE35' } }],
      ['an account', { payer: { account } }],
      [
        'validation accounts',
        { payer: { validationAccounts: [{ ispb: '12345678', branch: '0009', number: '55-X' }] } },
      ],
    ])('completes one that expects %s, by a payer who fits', async (_whom, request) => {
      const { id } = await edge.cashIn('10.00', request);
      const answer = await edge.force(id, 'complete');
      expect([answer.status, answer.body.data]).toEqual([200, { id, state: 'Completed' }]);
      expect((await edge.force(id, 'complete')).status).toBe(422);
    });

    it.each([
      ['fail', 'Error'],
      ['reverse', 'Reversed'],
    ] as const)('ends an unpaid one: %s', async (force, state) => {
      const { id, qrCode } = await edge.cashIn('10.00');
      expect((await edge.force(id, force)).body.data).toEqual({ id, state });
      expect((await edge.pay(qrCode)).body.data.outcome).toBe('Returned');
      await expect(edge.transaction(id)).resolves.toMatchObject({ state });
      expect((await edge.force(id, 'complete')).status).toBe(422);
    });

    it('does not know an identifier that is nobody’s, and never moves a transfer', async () => {
      const unknown = await edge.force(UNKNOWN, 'complete');
      expect([unknown.status, unknown.body.error.name]).toEqual([404, 'EntityNotFound']);
      const transfer = await edge.api.transfer(edge.partner.accounts[1]!, '1.00');
      const refused = await edge.force(transfer.body.data.id, 'complete');
      expect([refused.status, refused.body.error.details.reason]).toEqual([422, 'TransitionNotAllowed']);
    });
  });

  describe('a payout of a code of the service itself', () => {
    const payCode = async (qrCode: string) => {
      const answer = await edge.api.post('/accounts/pix/cashout', {
        payment: { qrCode },
        transaction: { orderId: 'pedido-3' },
        webhook: { url: 'http://127.0.0.1:65535/hook' },
      });
      return answer.body.data.transaction.id as string;
    };

    it.each([
      ['by itself', '10.00', undefined],
      ['once it is forced', '10.98', 'complete'],
    ] as const)('comes in as it went out: %s', async (_when, amount, force) => {
      const { id, qrCode } = await edge.cashIn(amount);
      const payoutId = await payCode(qrCode);
      if (force) expect((await edge.force(payoutId, force)).body.data).toEqual({ id: payoutId, state: 'Completed' });
      await edge.reaches(id, 'Completed');
      await edge.reaches(payoutId, 'Completed');
    });

    it('leaves the code unpaid where it is forced to come back', async () => {
      const { id, qrCode } = await edge.cashIn('11.98');
      const payoutId = await payCode(qrCode);
      expect((await edge.force(payoutId, 'reverse')).body.data).toEqual({ id: payoutId, state: 'Reversed' });
      const { endToEndId } = await edge.transaction(payoutId);
      const tasks = () => edge.database.query('select 1 from sandbox.task where subject = $1', [endToEndId]);
      await eventually(async () => (await tasks()).length === 0);
      await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Registered' });
      await expect(edge.transaction(payoutId)).resolves.toMatchObject({ state: 'Reversed' });
    });
  });

  describe('refunds that are held', () => {
    afterEach(() => edge.behave(AS_IT_IS));

    it.each([
      ['complete', 'Completed'],
      ['fail', 'Error'],
    ] as const)('stay under way until they are forced: %s', async (force, state) => {
      await edge.behave({ refunds: 'hold' });
      const { id, qrCode } = await edge.cashIn('10.00');
      await edge.pay(qrCode);
      const refund = await edge.api.post(`/accounts/pix/cashin/${id}/refunds`, { amount: '4.00' });
      const refundId = refund.body.data.transaction.id as string;
      await eventually(
        async () => (await edge.database.query(`select 1 from sandbox.refund_out where status = 'Pending'`)).length > 0,
      );
      expect((await edge.force(refundId, 'reverse')).status).toBe(422);
      expect((await edge.force(refundId, force)).body.data).toEqual({ id: refundId, state });
    });
  });

  describe('when it behaves badly', () => {
    afterEach(() => edge.behave(AS_IT_IS));

    it('changes nothing twice by repeating its notifications', async () => {
      await edge.behave({ copies: 5 });
      const before = Number(await available());
      expect((await edge.pay(await code('10.00'))).body.data.outcome).toBe('Settled');
      await edge.reaches(await edge.cashOut('3.00'), 'Completed');
      const id = await edge.cashOut('2.96');
      const refunds = await eventually(async () => {
        const all = await edge.refundsOf(id);
        return all.length > 0 && all;
      });
      expect(refunds).toHaveLength(1);
      expect(Number(await available())).toBeCloseTo(before + 10 - 3 - 2.96 + 1.48, 2);
    });

    it('notifies late, and the payer still gets the true outcome', async () => {
      await edge.behave({ delayMs: 400, copies: 2 });
      const before = Number(await available());
      const qrCode = await code('10.00');
      const answers = await Promise.all([edge.pay(qrCode), edge.pay(qrCode)]);
      expect(answers.map((answer) => answer.body.data.outcome).sort()).toEqual(['Returned', 'Settled']);
      expect(Number(await available())).toBeCloseTo(before + 10, 2);
    });

    it('says that a payment is settled when it may not tell anybody, and the ledger does not know', async () => {
      await edge.behave({ notifications: 'drop' });
      const { id, qrCode } = await edge.cashIn('10.00');
      expect((await edge.pay(qrCode)).body.data.outcome).toBe('Settled');
      await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Registered' });
    });

    it('does not fail a deposit that was paid, though the ledger does not know it yet', async () => {
      await edge.behave({ notifications: 'drop' });
      const { id, qrCode } = await edge.cashIn('10.00');
      await edge.pay(qrCode);
      const refused = await edge.force(id, 'fail');
      expect([refused.status, refused.body.error?.details.reason]).toEqual([422, 'TransitionNotAllowed']);
      await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Registered' });
    });

    it('is queried for a payout whose notification was lost', async () => {
      await edge.behave({ notifications: 'drop' });
      const id = await edge.cashOut('7.98');
      expect((await edge.force(id, 'complete')).status).toBe(200);
      await edge.reaches(id, 'Completed', 30_000);
    }, 40_000);

    it('refuses to behave in ways that it does not know', async () => {
      const answer = await edge.sandbox('PUT', '/behaviour', { notifications: 'shout', delayMs: -1, copies: 0.5 });
      expect(answer.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
        'notifications',
        'delayMs',
        'copies',
      ]);
    });
  });

  it('carries on after SIGKILL: a payout under way is completed once, under one EndToEndId', async () => {
    await edge.behave({ delayMs: 1_500 });
    const ids = await Promise.all(['5.00', '6.00', '7.97', '8.99', '9.96'].map((value) => edge.cashOut(value)));
    await edge.killAndRestart();
    await edge.behave(AS_IT_IS);
    const states = ['Completed', 'Completed', 'Error', 'Reversed', 'Completed'];
    await Promise.all(ids.map((id, i) => edge.reaches(id, states[i]!, 20_000)));
    const [count] = await edge.database.query<{ payments: string; ids: string }>(
      `select count(*) as payments, count(distinct p.end_to_end_id) as ids
       from sandbox.payment_out p join transaction t using (end_to_end_id) where t.id = any($1::uuid[])`,
      [ids],
    );
    expect(count).toEqual({ payments: '5', ids: '5' });
    await eventually(async () => (await edge.refundsOf(ids[4]!)).length === 1, { within: 15_000 });
  }, 60_000);

  it('needs no token, and says so in the documents', async () => {
    const { body } = await call(edge.service.url, 'GET', '/openapi.json');
    const routes = Object.keys(body.paths).filter((path) => path.startsWith('/sandbox/'));
    expect(routes.sort()).toEqual([
      '/sandbox/pix/behaviour',
      '/sandbox/pix/infractions',
      '/sandbox/pix/infractions/{id}',
      '/sandbox/pix/infractions/{id}/cancel',
      '/sandbox/pix/payments',
      '/sandbox/pix/recoveries/{id}/accept',
      '/sandbox/pix/recoveries/{id}/refuse',
      '/sandbox/pix/transactions/{id}/complete',
      '/sandbox/pix/transactions/{id}/fail',
      '/sandbox/pix/transactions/{id}/reverse',
    ]);
    for (const path of routes) {
      for (const operation of Object.values<any>(body.paths[path])) expect(operation.security).toEqual([]);
    }
  });
});

describe('the sandbox rail, with the API and the worker in processes of their own', () => {
  let edge: PixEdge;
  let worker: Service;
  beforeAll(async () => {
    edge = await PixEdge.start({ ROLE: 'api' });
    worker = await startService(edge.database.url, { ...edge.env, ROLE: 'worker' });
  }, 60_000);
  afterAll(async () => {
    await worker.stop();
    await edge.stop();
  });

  it('settles payouts, sends money back, takes deposits and gives them back', async () => {
    const payouts = await Promise.all(['10.00', '10.96', '10.97'].map((value) => edge.cashOut(value)));
    await Promise.all(payouts.map((id, i) => edge.reaches(id, i === 2 ? 'Error' : 'Completed')));
    await eventually(async () => (await edge.refundsOf(payouts[1]!)).length === 1);
    const { id, qrCode } = await edge.cashIn('20.00');
    expect((await edge.pay(qrCode)).body.data.outcome).toBe('Settled');
    const refund = await edge.api.post(`/accounts/pix/cashin/${id}/refunds`, {});
    await edge.reaches(refund.body.data.transaction.id, 'Completed');
    const { available, held } = await edge.api.balance(edge.partner.accounts[0]!);
    expect({ available, held }).toEqual({ available: '984.52', held: '0.00' });
  });

  it('forces what another process carries out', async () => {
    const id = await edge.cashOut('1.98');
    expect((await edge.force(id, 'fail')).body.data).toEqual({ id, state: 'Error' });
  });
});
