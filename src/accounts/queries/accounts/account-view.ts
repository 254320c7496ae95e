import { ApiProperty } from '@nestjs/swagger';
import type { Config } from '../../../platform/config/index.js';
import { AMOUNT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { Account } from '../../domain/account.js';
import {
  ACCOUNT_CLASSES,
  ACCOUNT_TYPES,
  type AccountClass,
  type AccountStatus,
  type AccountType,
  type Holder,
} from '../../domain/account.events.js';

export const ACCOUNT_STATUS = { enum: ['Active', 'Inactive'], enumName: 'AccountStatus' };

export class BalanceView {
  @ApiProperty(AMOUNT) readonly available: string;
  @ApiProperty(AMOUNT) readonly held: string;
  /** Kept by holds: it cannot be spent */
  @ApiProperty(AMOUNT) readonly blocked: string;
}

/** An account as partners see it, decisions 5. */
export class AccountView {
  @ApiProperty(UUID) readonly uid: string;
  readonly name: string;
  /** CPF or CNPJ */
  readonly taxNumber: string;
  readonly ispb: string;
  readonly branch: string;
  readonly number: string;
  readonly digit: string;
  @ApiProperty({ enum: ACCOUNT_TYPES, enumName: 'AccountType' }) readonly type: AccountType;
  @ApiProperty({ enum: ACCOUNT_CLASSES, enumName: 'AccountClass' }) readonly class: AccountClass;
  @ApiProperty(ACCOUNT_STATUS) readonly status: AccountStatus;
  /** Whether it is the account of the current context */
  readonly current: boolean;
  readonly balance: BalanceView;
}

export function showAccount(account: Account, holder: Holder, config: Config, currentUid?: string): AccountView {
  return {
    uid: account.uid,
    name: holder.name,
    taxNumber: holder.taxNumber,
    ispb: config.institution.ispb,
    branch: holder.branch,
    number: holder.number,
    digit: holder.digit,
    type: account.type,
    class: account.class,
    status: account.status,
    current: account.uid === currentUid,
    balance: {
      available: formatAmount(account.available),
      held: formatAmount(account.held),
      blocked: formatAmount(account.blocked),
    },
  };
}

export const ACCOUNT_EXAMPLE: AccountView = {
  uid: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  name: 'Loja Exemplo Ltda',
  taxNumber: '11222333000181',
  ispb: '12345678',
  branch: '0001',
  number: '100001',
  digit: '4',
  type: 'PaymentAccount',
  class: 'Standard',
  status: 'Active',
  current: true,
  balance: { available: '1000.00', held: '0.00', blocked: '0.00' },
};
