import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let api: PartnerApi;
let source: string;
let destination: string;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['100.00', '0.00']);
  [source, destination] = partner.accounts as [string, string];
  api = await PartnerApi.login(service.url, partner.credentials);
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

const refused = (status: number, error: object) => ({ status, body: { statusCode: 'Error', error } });
const brief = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

describe('a transfer', () => {
  it('moves the amount and answers with id and settlement date, as the contract forms them', async () => {
    const { status, body } = await api.post('/accounts/transfer', {
      refAccountCredit: destination,
      transferAmount: '10.5',
      transferDescription: 'Aluguel',
      somethingElse: { that: 'we ignore' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      statusCode: 'Done',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        settlementDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      },
    });
    expect(Math.abs(Date.parse(`${body.data.settlementDate}Z`) - Date.now())).toBeLessThan(5_000);
    expect(await api.balance(source)).toEqual({ available: '89.50', held: '0.00', blocked: '0.00' });
    expect(await api.balance(destination)).toEqual({ available: '10.50', held: '0.00', blocked: '0.00' });

    const statement = await eventually(async () => {
      const page = await api.get(`/accounts/${source}/statement?limit=1`);
      return page.body.data.items[0]?.kind === 'Transfer' && page.body.data;
    });
    expect(statement.items[0]).toEqual({
      id: '2',
      date: `${body.data.settlementDate}Z`,
      kind: 'Transfer',
      transactionId: body.data.id,
      amount: '-10.50',
      balanceAfter: '89.50',
      description: 'Aluguel',
    });
    const older = await api.get(`/accounts/${source}/statement?limit=1&cursor=${statement.nextCursor}`);
    expect(older.body.data.items).toMatchObject([
      { id: '1', kind: 'Credit', amount: '100.00', balanceAfter: '100.00' },
    ]);
    expect(older.body.data.nextCursor).toBeNull();
    const foreign = await api.get(`/accounts/${destination}/statement?limit=1&cursor=${statement.nextCursor}`);
    expect(foreign.status).toBe(400);
  });

  it.each(['0', '0.00', '-5.00'])('of %s is refused: not above zero', async (amount) => {
    expect(brief(await api.transfer(destination, amount))).toEqual(
      refused(400, {
        name: 'InvalidInputError',
        code: 'InvalidInputError',
        details: { reason: 'TransferAmountMustBeGreaterThanZero', message: expect.any(String) },
      }),
    );
  });

  it.each(['1,50', '+1', '1e3', ' 1', '1.234', '.5', '1.', '12345678901234', '', 10, null, true, {}])(
    'of %p is malformed',
    async (amount) => {
      const answer = await api.post('/accounts/transfer', { refAccountCredit: destination, transferAmount: amount });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ name: 'InvalidInputError', details: [{ path: 'transferAmount' }] });
    },
  );

  it('with several faults names them all at once', async () => {
    const answer = await api.post('/accounts/transfer', { transferAmount: 'x', transferDescription: 7 });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['refAccountCredit', 'Required'],
      ['transferAmount', 'InvalidFormat'],
      ['transferDescription', 'InvalidType'],
    ]);
  });

  it('to an account that does not exist is refused, however the identifier is formed', async () => {
    const never = ['nobody', '00000000-0000-0000-0000-000000000000', '٣', ' ', 'a\u0000b\u0007', 'x'.repeat(256)];
    for (const uid of ['01a1f8b7-9c8e-7001-8cb3-cd56b2a1f528', ...never]) {
      expect(brief(await api.transfer(uid, '1.00'))).toEqual(
        refused(404, {
          name: 'EntityNotFound',
          code: 'EntityNotFound',
          details: {
            entityName: 'CustomerAccountEntity',
            parameterName: 'uid',
            parameterValue: uid,
            message: expect.any(String),
          },
        }),
      );
    }
  });

  it.each(['', null, 7, {}, ['x']])('to %j, which is no identifier at all, is malformed', async (refAccountCredit) => {
    const answer = await api.post('/accounts/transfer', { refAccountCredit, transferAmount: '1.00' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toMatchObject([{ path: 'refAccountCredit' }]);
  });

  it('to the same account is refused', async () => {
    expect(brief(await api.transfer(source, '1.00'))).toEqual(
      refused(422, {
        name: 'OperationError',
        code: 'OperationError',
        details: { reason: 'TransferToSameAccountNotAllowed', message: expect.any(String) },
      }),
    );
  });

  it('of more than is available is refused and moves nothing', async () => {
    const before = await api.balance(source);
    expect(brief(await api.transfer(destination, '1000000.00'))).toEqual(
      refused(422, {
        name: 'OperationError',
        code: 'OperationError',
        details: { reason: 'CustomerAccountInsufficientFunds', message: expect.any(String) },
      }),
    );
    expect(await api.balance(source)).toEqual(before);
  });

  it('keeps within the limits of the operator: 1.00 by default, and what is set', async () => {
    const below = await api.transfer(destination, '0.99');
    expect(below.status).toBe(400);
    expect(below.body.error.details).toMatchObject({ reason: 'AmountBelowMinimum', minimum: '1.00' });
    await operator.patch(`/partners/${partner.uid}/settings`, { transferMinimum: '0.50', transferMaximum: '5.00' });
    const above = await api.transfer(destination, '5.01');
    expect(above.body.error.details).toMatchObject({ reason: 'AmountAboveMaximum', maximum: '5.00' });
    expect((await api.transfer(destination, '0.50')).status).toBe(201);
    await operator.patch(`/partners/${partner.uid}/settings`, { transferMinimum: null, transferMaximum: null });
    expect((await api.transfer(destination, '0.99')).status).toBe(400);
    expect((await api.transfer(destination, '5.01')).status).toBe(201);
  });

  it('from an inactive account is refused with the reason and nothing else; reading goes on', async () => {
    await operator.post(`/accounts/${source}/deactivate`, { reason: 'Teste' });
    expect(brief(await api.transfer(destination, '1.00'))).toEqual(
      refused(403, {
        name: 'AuthenticationError',
        code: 'AuthenticationError',
        details: { reason: 'CustomerAccountIsNotActive' },
      }),
    );
    expect((await PartnerApi.login(service.url, partner.credentials)).token).toBeTruthy();
    expect((await api.get('/accounts')).status).toBe(200);
    await operator.post(`/accounts/${source}/activate`, { reason: 'Teste' });
    expect((await api.transfer(destination, '1.00')).status).toBe(201);
  });

  it('to an inactive account is refused', async () => {
    await operator.post(`/accounts/${destination}/deactivate`, { reason: 'Teste' });
    const answer = await api.transfer(destination, '1.00');
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.reason).toBe('DestinationAccountIsNotActive');
    await expect(
      operator.post(`/accounts/${destination}/credits`, { amount: '1.00', reason: 'Teste' }),
    ).rejects.toThrow(/422 .*"DestinationAccountIsNotActive"/);
    await operator.post(`/accounts/${destination}/activate`, { reason: 'Teste' });
  });

  it('answers the first of several refusals in the decided order', async () => {
    await operator.post(`/accounts/${source}/deactivate`, { reason: 'Teste' });
    const reason = async (uid: string, amount: string) => {
      const { details } = (await api.transfer(uid, amount)).body.error;
      return details.reason ?? details.entityName;
    };
    expect(await reason('nobody', '0')).toBe('TransferAmountMustBeGreaterThanZero');
    expect(await reason('nobody', '0.01')).toBe('AmountBelowMinimum');
    expect(await reason('nobody', '1.00')).toBe('CustomerAccountIsNotActive');
    await operator.post(`/accounts/${source}/activate`, { reason: 'Teste' });
    expect(await reason('nobody', '999999.00')).toBe('CustomerAccountEntity');
    expect(await reason(source, '999999.00')).toBe('TransferToSameAccountNotAllowed');
  });
});

it('takes whole characters, escaped or not, and a backslash before what looks like one', async () => {
  for (const description of ['"\\ud83d\\ude00"', '"😀"', '"\\\\ud800"']) {
    const body = `{"refAccountCredit":"${destination}","transferAmount":"1.00","transferDescription":${description}}`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': description.length.toString() };
    const answer = await call(service.url, 'POST', '/partners-int/accounts/transfer', {
      token: api.token,
      headers,
      body,
    });
    expect(answer.status).toBe(201);
  }
});

describe('the legacy class', () => {
  it('still transfers, says that it is deprecated, and ends after the sunset', async () => {
    const legacy = await operator.partner(['10.00', '0.00'], { class: 'Legacy' });
    const session = await PartnerApi.login(service.url, legacy.credentials);
    const first = await session.transfer(legacy.accounts[1]!, '1.00');
    expect(first.status).toBe(201);
    expect(first.headers.get('deprecation')).toMatch(/^@\d{10}$/);
    expect(first.headers.get('sunset')).toBeNull();

    await operator.patch(`/partners/${legacy.uid}/settings`, { sunsetDate: '2099-12-31' });
    const second = await session.transfer(legacy.accounts[1]!, '1.00');
    expect(second.headers.get('sunset')).toBe('Fri, 01 Jan 2100 03:00:00 GMT');

    await operator.patch(`/partners/${legacy.uid}/settings`, { sunsetDate: '2020-01-01T00:00:00Z' });
    const third = await session.transfer(legacy.accounts[1]!, '1.00');
    expect(third.status).toBe(422);
    expect(third.body.error.details.reason).toBe('TransferNotAvailableForAccountClass');
    expect(third.headers.get('deprecation')).toMatch(/^@\d{10}$/);
  });

  it.each([
    ['a faulty body', { transferAmount: '1,00' }, {}],
    ['a faulty key', { refAccountCredit: 'nobody', transferAmount: '1.00' }, { 'idempotency-key': 'a b' }],
  ])('is said where %s is refused too', async (_, body, headers) => {
    const legacy = await operator.partner(['10.00'], { class: 'Legacy' });
    const session = await PartnerApi.login(service.url, legacy.credentials);
    const answer = await session.post('/accounts/transfer', body, headers);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('deprecation')).toMatch(/^@\d{10}$/);
  });

  it('is not said of the standard class', async () => {
    expect((await api.transfer(destination, '1.00')).headers.get('deprecation')).toBeNull();
  });
});
