import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { makePaymentsLedger } from '../support/payments-ledger.js';
import { type Service, startService } from '../support/service.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});
copyForEach((given) => ({ ledger, copy } = given), makePaymentsLedger);

const webhook = { url: 'http://127.0.0.1:65535/hook', customHeaderName: 'X-Api-Key', customHeaderValue: 'a secret' };
const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' };
const recipient = { name: 'Maria Silva', cpf: '11144477735' };

describe('ledger verify while payments of all kinds go on', () => {
  it('raises no false alarm, three times', async () => {
    service = await startService(copy.url, { ...copy.env, CHECKPOINT_INTERVAL_SECONDS: '1' });
    const api = await PartnerApi.login(service.url, ledger.partner.credentials);
    const operator = new OperatorApi(service.url);
    await operator.post(`/accounts/${ledger.partner.accounts[0]}/credits`, { amount: '9000.00', reason: 'More' });
    let going = true;
    let made = 0;
    const again = async (work: () => Promise<unknown>) => {
      // Not at full speed: verify has a low priority.
      for (; going; made++) {
        await work();
        await new Promise((resume) => setTimeout(resume, 100));
      }
    };
    const transaction = () => ({ orderId: randomUUID(), orderDescription: 'Pedido' });
    const must = async (path: string, body: object) => {
      const answer = await api.post(path, body);
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body.data;
    };
    const cents = ['1.00', '1.97', '1.96', '1.98', '1.99'];
    const traffic = Promise.all([
      again(() => api.transfer(ledger.partner.accounts[1]!, '0.01')),
      again(() => {
        const payment = { value: cents[made % 5], recipient: { ...recipient, account } };
        return must('/accounts/pix/cashout', { payment, transaction: transaction(), webhook });
      }),
      again(() => {
        const key = { type: 'EMAIL', value: 'maria@example.com' };
        return must('/accounts/pix/cashout', {
          payment: { value: '1.00', key, recipient },
          transaction: transaction(),
          webhook,
        });
      }),
      again(async () => {
        const payment = {
          value: { original: '2.00' },
          payer: { name: 'Fulano', ...(made % 3 === 0 && { cpf: '11144477735' }) },
        };
        const { payment: charge, transaction: deposit } = await must('/accounts/pix/cashin', {
          payment,
          transaction: transaction(),
          webhook,
        });
        if (made % 4 === 0) return;
        const payer = { ...account, name: 'Fulano', taxNumber: '52998224725' };
        await call(service!.url, 'POST', '/sandbox/pix/payments', { body: { qrCode: charge.qrCode, payer } });
        await api.post(`/accounts/pix/cashin/${deposit.id}/refunds`, { amount: '0.50' });
      }),
    ]);
    try {
      for (let round = 0; round < 3; round++) {
        const { report } = await copy.verify('--budget', '50', '--deep');
        expect(report.divergences).toEqual([]);
      }
    } finally {
      going = false;
      await traffic;
    }
    expect(made).toBeGreaterThan(50);
  }, 120_000);
});
