import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ACCOUNT_TYPES } from '../../accounts/index.js';
import { IsText } from '../../platform/http/index.js';
import { IsAccountMember } from './bank-account.checks.js';

/** Members that the bodies of cash-outs and cash-ins share, contract 2.4 and 2.5. */

const ISPB = { example: '60701190', description: 'ISPB of the institution, eight digits or letters' };
const BRANCH = { example: '0001', description: 'Branch, four digits' };
const NUMBER = {
  example: '123456',
  description: 'Account number; its last character is the digit where `digit` is absent',
};

/** The account of a payer, contract 2.5: it has no type. */
export class PayerAccountDto {
  @ApiProperty(ISPB)
  @IsAccountMember('ispb')
  ispb: string;

  @ApiProperty(BRANCH)
  @IsAccountMember('branch')
  branch: string;

  @ApiProperty(NUMBER)
  @IsAccountMember('number')
  number: string;

  @ApiProperty({ example: '7', description: 'Verification digit' })
  @IsOptional()
  @IsAccountMember('digit')
  digit?: string;
}

export class BankAccountDto extends PayerAccountDto {
  @ApiProperty({ enum: [...ACCOUNT_TYPES], description: 'CheckingsAccount when absent' })
  @IsOptional()
  @IsAccountMember('type')
  type?: string;
}

export class ValidationAccountDto {
  @ApiProperty(ISPB)
  @IsAccountMember('ispb')
  ispb: string;

  @ApiProperty(BRANCH)
  @IsAccountMember('branch')
  branch: string;

  @ApiProperty({ example: '1234567', description: 'Account number with its verification digit' })
  @IsAccountMember('number')
  number: string;
}

export class OrderDto {
  @ApiProperty({ example: 'order-1', description: '1 to 64 characters' })
  @IsText({ minimum: 1, maximum: 64 })
  orderId: string;

  @ApiProperty({ example: 'Supplier', description: 'At most 140 characters' })
  @IsOptional()
  @IsText({ maximum: 140 })
  orderDescription?: string;
}

/** Checked as a whole by `webhookFaults`: what is allowed depends on settings. */
export class WebhookDto {
  @ApiProperty({ example: 'https://partner.example/hooks/pix', description: 'Public https address' })
  @IsText({ maximum: 2048 })
  url: string;

  @ApiProperty({ example: 'X-Api-Key', description: 'Header sent along; needs its value' })
  @IsOptional()
  customHeaderName?: string;

  @ApiProperty({ example: 'a-secret', description: 'Visible ASCII, at most 1024 characters; kept encrypted' })
  @IsOptional()
  customHeaderValue?: string;
}

export const MAX_NAME = 140;
