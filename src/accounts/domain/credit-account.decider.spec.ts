import { describe, it } from '@jest/globals';
import { ACCOUNT, credited, deactivated, funded, given } from '../../../test/support/given.js';
import { BALANCE_LIMIT } from './balance-limit.js';

describe('a credit of the operator', () => {
  it('moves money from the account of what was funded', () => {
    given(funded(5_00n))
      .when(credited(10_50n))
      .then({
        type: 'AccountCredited',
        data: {
          uid: ACCOUNT,
          amount: '1050',
          postings: [
            { system: 'operator-funding', bucket: 'available', amount: '-1050', balance: '-1550' },
            { account: ACCOUNT, bucket: 'available', amount: '1050', balance: '1550' },
          ],
        },
      });
  });

  it('is refused where the account, or that of what was funded, would hold more than it can', () => {
    given(funded(BALANCE_LIMIT)).when(credited(1n)).thenRefused('OperationError', 'BalanceLimitExceeded');
    given(funded(BALANCE_LIMIT - 1n))
      .when(credited(1n))
      .then({ type: 'AccountCredited' });
  });

  it('is refused for an inactive account', () => {
    given(funded(0n), deactivated).when(credited(1n)).thenRefused('OperationError', 'DestinationAccountIsNotActive');
  });
});
