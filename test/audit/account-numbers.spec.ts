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

async function found() {
  const { report } = await copy.verify();
  return report.divergences.map((one: any) => [one.check, one.subject, one.found]);
}

describe('a sequence of account numbers that was set back', () => {
  it('will give a number again: verify names it before, and then the account, and not the number', async () => {
    services = [await startService(copy.url, copy.env), await startService(copy.url, copy.env)];
    const behind = ['account numbers', 'sequence account_number', 'less: numbers will be given again'];
    await copy.query('alter sequence account_number increment by -1');
    expect(await found()).toEqual([behind]);
    await copy.query('alter sequence account_number increment by 1 restart');
    expect(await found()).toEqual([behind]);
    const { taxNumber } = ledger.partner;
    const partner = await new OperatorApi(services[0]!.url).post('/partners', {
      name: 'Outra',
      taxNumber: '11222333000181',
    });
    const again = await new OperatorApi(services[1]!.url).post(`/partners/${partner.uid}/accounts`, {
      name: 'Conta',
      taxNumber,
    });
    const given = ['account numbers', expect.any(String), 'that of another account'];
    expect(await found()).toEqual([behind, given]);
    expect(JSON.stringify((await copy.verify()).report.divergences)).not.toContain(again.number);
  });
});
