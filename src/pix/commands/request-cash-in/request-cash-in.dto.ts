import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  IsAmountAboveZero,
  IsListOf,
  IsNested,
  IsTaxNumber,
  IsText,
  type LocatedFault,
} from '../../../platform/http/index.js';
import type { AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { MAX_NAME, OrderDto, PayerAccountDto, ValidationAccountDto, WebhookDto } from '../../dto/members.dto.js';
import { webhookFaults } from '../../dto/webhook.js';

/** Contract 2.5, decisions 7. */

/** Contract 8. */
const MAX_VALIDATION_ACCOUNTS = 3;

export class PayerDto {
  @ApiProperty({ example: 'Maria Silva', description: 'Will become required' })
  @IsOptional()
  @IsText({ maximum: MAX_NAME })
  name?: string;

  @ApiProperty({ example: '52998224725', description: 'CPF or CNPJ that must pay' })
  @IsOptional()
  @IsTaxNumber()
  cpf?: string;

  /** The account that must pay */
  @IsOptional()
  @IsNested(() => PayerAccountDto)
  account?: PayerAccountDto;

  /** Accounts of which one must pay; not together with `account` */
  @IsOptional()
  @IsListOf(() => ValidationAccountDto, MAX_VALIDATION_ACCOUNTS)
  validationAccounts?: ValidationAccountDto[];
}

export class CashInValueDto {
  @ApiProperty({ example: '10.50' })
  @IsAmountAboveZero('PaymentValueMustBeGreaterThanZero')
  original: string;
}

export class CashInPaymentDto {
  @IsNested(() => CashInValueDto)
  value: CashInValueDto;

  @IsOptional()
  @IsNested(() => PayerDto)
  payer?: PayerDto;
}

export class CashInOrderDto extends OrderDto {
  @ApiProperty({
    example: 3600,
    type: 'integer',
    description: 'Seconds in which it can be paid, up to the operator setting',
  })
  @IsOptional()
  expiresIn?: number;
}

export class RequestCashInDto {
  @IsNested(() => CashInPaymentDto)
  payment: CashInPaymentDto;

  @IsNested(() => CashInOrderDto)
  transaction: CashInOrderDto;

  @IsNested(() => WebhookDto)
  webhook: WebhookDto;
}

/** Rules over several members. @param longest CASHIN_EXPIRY_SECONDS */
export function cashInFaults(body: RequestCashInDto, policy: AddressPolicy, longest: number): LocatedFault[] {
  return [
    ...payerFaults(body.payment?.payer),
    ...expiryFaults(body.transaction?.expiresIn, longest),
    ...webhookFaults(body.webhook, policy),
  ];
}

/** Contract 2.5, rule 1. */
function payerFaults(payer: PayerDto | null | undefined): LocatedFault[] {
  const { account, validationAccounts } = payer ?? {};
  if (!account || !Array.isArray(validationAccounts) || validationAccounts.length === 0) return [];
  const message = 'account and validationAccounts exclude each other';
  const info = { properties: ['payment.payer.account', 'payment.payer.validationAccounts'] };
  return [{ path: 'payment.payer', code: 'MutuallyExclusive', message, info }];
}

function expiryFaults(expiresIn: unknown, maximum: number): LocatedFault[] {
  if (expiresIn === undefined || expiresIn === null) return [];
  if (Number.isInteger(expiresIn) && (expiresIn as number) >= 1 && (expiresIn as number) <= maximum) return [];
  const message = `must be a whole number of seconds from 1 to ${maximum}`;
  return [{ path: 'transaction.expiresIn', code: 'InvalidFormat', message, info: { minimum: 1, maximum } }];
}
