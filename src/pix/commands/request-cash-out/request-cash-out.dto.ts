import {
  amountAboveZero,
  type Check,
  type LocatedFault,
  Optional,
  OptionalObject,
  Required,
  RequiredObject,
  text,
} from '../../../platform/http/index.js';
import type { AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { BankAccountDto, MAX_NAME, OrderDto, WebhookDto } from '../../body/body.dto.js';
import { webhookFaults } from '../../body/webhook.js';
import { parseBankAccount } from '../../domain/values/bank-account.js';
import { parsePixKey, PIX_KEY_TYPES } from '../../domain/values/pix-key.js';

/** Contract 2.4, decisions 6. */

function keyMember(member: 'type' | 'value'): Check {
  return (given, owner) => {
    if (typeof given !== 'string') {
      return { code: 'InvalidType', message: 'must be a string', info: { expected: 'string' } };
    }
    const { type, value } = owner;
    if (typeof type !== 'string' || (member === 'value' && typeof value !== 'string')) return undefined;
    const result = parsePixKey(type, member === 'value' ? (value as string) : '');
    if (result.ok || result.fault.member !== member) return undefined;
    const { code, message, info } = result.fault;
    return { code, message, info };
  };
}

export const taxNumber: Check = (value) =>
  typeof value === 'string' && parseTaxNumber(value)
    ? undefined
    : { code: 'InvalidFormat', message: 'must be a CPF or a CNPJ with valid check digits' };

export class PixKeyDto {
  @Required({ example: '52998224725', description: 'The Pix key' }, keyMember('value'))
  value: string;

  @Required({ example: 'CPF', enum: [...PIX_KEY_TYPES], description: 'In any letter case' }, keyMember('type'))
  type: string;
}

export class RecipientDto {
  @Optional({ example: 'Maria Silva', description: 'Will become required' }, text({ maximum: MAX_NAME }))
  name?: string;

  @Required({ example: '52998224725', description: 'CPF or CNPJ' }, taxNumber)
  cpf: string;

  @OptionalObject(() => BankAccountDto)
  account?: BankAccountDto;
}

export class CashOutPaymentDto {
  @Required({ example: '10.50' }, amountAboveZero('PaymentValueMustBeGreaterThanZero'))
  value: string;

  @OptionalObject(() => PixKeyDto)
  key?: PixKeyDto;

  @RequiredObject(() => RecipientDto)
  recipient: RecipientDto;
}

export class RequestCashOutDto {
  @RequiredObject(() => CashOutPaymentDto)
  payment: CashOutPaymentDto;

  @RequiredObject(() => OrderDto)
  transaction: OrderDto;

  @RequiredObject(() => WebhookDto)
  webhook: WebhookDto;
}

/** What the members alone cannot tell: the method, the digit that its account needs, the webhook's address. */
export function cashOutFaults(body: RequestCashOutDto, policy: AddressPolicy): LocatedFault[] {
  return [...methodFaults(body.payment), ...webhookFaults(body.webhook, policy)];
}

function methodFaults(payment: CashOutPaymentDto | undefined): LocatedFault[] {
  if (typeof payment !== 'object' || payment === null || typeof payment.recipient !== 'object') return [];
  const account = payment.recipient?.account ?? undefined;
  if (payment.key !== undefined && payment.key !== null) return [];
  if (account === undefined) {
    const message = 'payment.key or payment.recipient.account is required';
    return [{ path: 'payment.key', code: 'Required', message, info: { missingProperty: 'key' } }];
  }
  if (typeof account !== 'object' || typeof account.number !== 'string') return [];
  const { number, digit } = account;
  if (digit !== undefined && digit !== null && typeof digit !== 'string') return [];
  const result = parseBankAccount({ ispb: '00000000', branch: '0000', number, digit: digit ?? '' }, 'required');
  const fault = result.ok ? undefined : result.faults.find(({ code }) => code === 'AccountDigitIsRequired');
  return fault
    ? [{ path: 'payment.recipient.account.digit', code: fault.code, message: fault.message, domain: true }]
    : [];
}
