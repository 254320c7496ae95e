import { ACCOUNT_TYPES } from '../../accounts/index.js';
import { Optional, Required, text } from '../../platform/http/index.js';
import { accountMember } from './bank-account.checks.js';

/** Members that the bodies of cash-outs and cash-ins share, contract 2.4 and 2.5. */

const ISPB = { example: '60701190', description: 'ISPB of the institution, eight digits' };
const BRANCH = { example: '0001', description: 'Branch, four digits' };
const NUMBER = {
  example: '123456',
  description: 'Account number; its last character is the digit where `digit` is absent',
};

/** The account of a payer, contract 2.5: it has no type. */
export class PayerAccountDto {
  @Required(ISPB, accountMember('ispb'))
  ispb: string;

  @Required(BRANCH, accountMember('branch'))
  branch: string;

  @Required(NUMBER, accountMember('number'))
  number: string;

  @Optional({ example: '7', description: 'Verification digit' }, accountMember('digit'))
  digit?: string;
}

export class BankAccountDto extends PayerAccountDto {
  @Optional({ enum: [...ACCOUNT_TYPES], description: 'CheckingsAccount when absent' }, accountMember('type'))
  type?: string;
}

export class ValidationAccountDto {
  @Required(ISPB, accountMember('ispb'))
  ispb: string;

  @Required(BRANCH, accountMember('branch'))
  branch: string;

  @Required({ example: '1234567', description: 'Account number with its verification digit' }, accountMember('number'))
  number: string;
}

export class OrderDto {
  @Required({ example: 'order-1', description: '1 to 64 characters' }, text({ minimum: 1, maximum: 64 }))
  orderId: string;

  @Optional({ example: 'Supplier', description: 'At most 140 characters' }, text({ maximum: 140 }))
  orderDescription?: string;
}

/** Judged as a whole by `webhookFaults`: what is allowed depends on settings. */
export class WebhookDto {
  @Required(
    { example: 'https://partner.example/hooks/pix', description: 'Public https address' },
    text({ maximum: 2048 }),
  )
  url: string;

  @Optional({ example: 'X-Api-Key', description: 'Header sent along; needs its value' })
  customHeaderName?: string;

  @Optional({ example: 'a-secret', description: 'Visible ASCII, at most 1024 characters; kept encrypted' })
  customHeaderValue?: string;
}

export const MAX_NAME = 140;
