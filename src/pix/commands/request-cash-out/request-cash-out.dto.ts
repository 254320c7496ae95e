import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import { IsRetryUntil, IsScheduledFor } from '../../../accounts/index.js';
import {
  IsAmountAboveZero,
  IsNested,
  IsTaxNumber,
  IsText,
  type LocatedFault,
  NOT_TEXT,
  rule,
} from '../../../platform/http/index.js';
import type { AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { accountIn } from '../../dto/bank-account.checks.js';
import { BankAccountDto, MAX_NAME, OrderDto, WebhookDto } from '../../dto/members.dto.js';
import { codeFaults, MAX_CODE } from '../../dto/code.checks.js';
import { webhookFaults } from '../../dto/webhook.js';
import { parsePixKey, PIX_KEY_TYPES } from '../../domain/values/pix-key.js';

/** Contract 2.4, decisions 6. */

function IsKeyMember(member: 'type' | 'value'): PropertyDecorator {
  return rule(`isKey${member}`, (given, owner) => {
    if (typeof given !== 'string') return NOT_TEXT;
    const { type, value } = owner;
    if (typeof type !== 'string' || (member === 'value' && typeof value !== 'string')) return undefined;
    const result = parsePixKey(type, member === 'value' ? (value as string) : '');
    if (result.ok || result.fault.member !== member) return undefined;
    const { code, message, info } = result.fault;
    return { code, message, info };
  });
}

export class PixKeyDto {
  @ApiProperty({
    example: '52998224725',
    description: 'The Pix key: CPF and CNPJ with or without punctuation, PHONE as +5511987654321, EVP as a UUID',
  })
  @IsKeyMember('value')
  value: string;

  @ApiProperty({ example: 'CPF', enum: [...PIX_KEY_TYPES], description: 'In any letter case' })
  @IsKeyMember('type')
  type: string;
}

export class RecipientDto {
  @ApiProperty({ example: 'Maria Silva', description: 'Will become required' })
  @IsOptional()
  @IsText({ maximum: MAX_NAME })
  name?: string;

  @ApiProperty({ example: '52998224725', description: 'CPF or CNPJ' })
  @IsTaxNumber()
  cpf: string;

  @IsOptional()
  @IsNested(() => BankAccountDto)
  account?: BankAccountDto;
}

/** What a code may say in its place. */
const UnlessInCode = (): PropertyDecorator => (target, name) =>
  ValidateIf(({ qrCode }: CashOutPaymentDto, value: unknown) => isGiven(value) || !isGiven(qrCode))(target, name);

const isGiven = (value: unknown) => value !== undefined && value !== null;

export class CashOutPaymentDto {
  @ApiProperty({ example: '10.50', description: 'May be absent where `qrCode` fixes it' })
  @UnlessInCode()
  @IsAmountAboveZero('PaymentValueMustBeGreaterThanZero')
  value?: string;

  @IsOptional()
  @IsNested(() => PixKeyDto)
  key?: PixKeyDto;

  @ApiProperty({
    example: '00020101021226…6304ABCD',
    description: 'The copy-and-paste code, instead of key and account',
  })
  @IsOptional()
  @IsText({ maximum: MAX_CODE })
  qrCode?: string;

  /** May be absent where `qrCode` names it */
  @UnlessInCode()
  @IsNested(() => RecipientDto)
  recipient?: RecipientDto;
}

export class CashOutOrderDto extends OrderDto {
  @IsScheduledFor()
  scheduledFor?: string;

  @IsRetryUntil()
  retryUntil?: string;
}

class OrderedPaymentDto {
  @IsNested(() => CashOutPaymentDto)
  payment: CashOutPaymentDto;

  @IsNested(() => CashOutOrderDto)
  transaction: CashOutOrderDto;
}

export class RequestCashOutDto extends OrderedPaymentDto {
  @IsNested(() => WebhookDto)
  webhook: WebhookDto;
}

/** A line of a payout file. */
export class PayoutLineDto extends OrderedPaymentDto {
  @IsOptional()
  @IsNested(() => WebhookDto)
  webhook?: WebhookDto;
}

/** Rules over several members: the method, the digit that its account needs, the webhook's address. */
export function cashOutFaults(body: RequestCashOutDto, policy: AddressPolicy): LocatedFault[] {
  return [...methodFaults(body.payment), ...laterFaults(body), ...webhookFaults(body.webhook, policy)];
}

/** A code may be paid, cancelled or changed until then: what is to be paid later is named by its key or account. */
function laterFaults({ payment, transaction }: Partial<RequestCashOutDto>): LocatedFault[] {
  if (!isGiven(payment?.qrCode) || !isGiven(transaction?.scheduledFor)) return [];
  const message = 'must be absent beside payment.qrCode';
  return [{ path: 'transaction.scheduledFor', code: 'NotAllowed', message }];
}

/** A code is read from its bank while the partner waits: not a hundred thousand times. */
export function lineFaults(line: PayoutLineDto, policy: AddressPolicy): LocatedFault[] {
  const message = 'a line of a file pays a key or an account';
  const now = { path: 'transaction.scheduledFor', code: 'NotAllowed', message: 'a line of a file is paid now' };
  return [
    ...(isGiven(line.transaction?.scheduledFor) ? [now] : []),
    ...(isGiven(line.payment?.qrCode)
      ? [{ path: 'payment.qrCode', code: 'NotAllowed', message }]
      : [...methodFaults(line.payment), ...webhookFaults(line.webhook, policy)]),
  ];
}

function methodFaults(payment: CashOutPaymentDto | undefined): LocatedFault[] {
  if (typeof payment !== 'object' || payment === null) return [];
  if (isGiven(payment.qrCode)) return codePaymentFaults(payment);
  if (typeof payment.recipient !== 'object') return [];
  const account = payment.recipient?.account ?? undefined;
  if (payment.key !== undefined && payment.key !== null) return [];
  if (account === undefined) {
    const message = 'payment.key or payment.recipient.account is required';
    return [{ path: 'payment.key', code: 'Required', message, info: { missingProperty: 'key' } }];
  }
  if (typeof account !== 'object' || (isGiven(account.digit) && typeof account.digit !== 'string')) return [];
  const parsed = accountIn(account);
  if ((parsed.ok ? parsed.account.digit : parsed.digit) !== '') return [];
  const message = 'the verification digit of the account is missing';
  return [{ path: 'payment.recipient.account.digit', code: 'AccountDigitIsRequired', message, domain: true }];
}

/** A code fixes how it is paid. */
function codePaymentFaults({ qrCode, key, recipient }: CashOutPaymentDto): LocatedFault[] {
  const message = 'must be absent beside payment.qrCode';
  const beside = [
    ...(isGiven(key) ? ['payment.key'] : []),
    ...(isGiven(recipient?.account) ? ['payment.recipient.account'] : []),
  ];
  return [...codeFaults('payment.qrCode', qrCode), ...beside.map((path) => ({ path, code: 'NotAllowed', message }))];
}
