import { afterEach, describe, expect, it } from '@jest/globals';
import { OperatorApi } from '../support/api.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let services: readonly Service[] = [];

afterEach(async () => {
  for (const service of services) await service.stop();
});
copyForEach((given) => ({ ledger, copy } = given));

describe('a sequence of account numbers that was set back', () => {
  it('gives a number again, while services run: verify names the account, and not the number', async () => {
    services = [await startService(copy.url, copy.env), await startService(copy.url, copy.env)];
    await copy.query('alter sequence account_number restart');
    const { taxNumber } = ledger.partner;
    const partner = await new OperatorApi(services[0]!.url).post('/partners', {
      name: 'Outra',
      taxNumber: '11222333000181',
    });
    const again = await new OperatorApi(services[1]!.url).post(`/partners/${partner.uid}/accounts`, {
      name: 'Conta',
      taxNumber,
    });
    const { code, report } = await copy.verify();
    const named = report.divergences.map(({ check, subject, found }: any) => [check, subject, found]);
    expect([code, named]).toEqual([1, [['account numbers', expect.any(String), 'that of another account']]]);
    expect(JSON.stringify(report.divergences)).not.toContain(again.number);
  });
});
