import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { laterTerms } from '../../../accounts/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { examine, type LocatedFault, validate } from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import type { AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { accountIn } from '../../dto/bank-account.checks.js';
import { requestedWebhook, webhookPolicy } from '../../dto/webhook.js';
import { parseBrCode } from '../../domain/values/br-code.js';
import { parsePixKey } from '../../domain/values/pix-key.js';
import type { ByCode, RequestedCashOut, ToRecipient } from '../requested-cash-out.js';
import {
  type CashOutPaymentDto,
  cashOutFaults,
  lineFaults,
  PayoutLineDto,
  RequestCashOutDto,
} from './request-cash-out.dto.js';

/** Reads and checks the body of a cash-out. All faults at once. */
@Injectable()
export class CashOutBody implements PipeTransform<unknown, RequestedCashOut> {
  readonly #policy: AddressPolicy;

  constructor(@Inject(CONFIG) config: Config) {
    this.#policy = webhookPolicy(config);
  }

  transform(body: unknown): RequestedCashOut {
    return requestedCashOut(validate(RequestCashOutDto, body, (dto) => cashOutFaults(dto, this.#policy)));
  }

  /** A line of a payout file: the same body, but that it pays no code, and may name no address. */
  readLine(line: object): RequestedCashOut | readonly LocatedFault[] {
    const { instance, faults } = examine(PayoutLineDto, line, (dto) => lineFaults(dto, this.#policy));
    return faults.length > 0 ? faults : requestedCashOut(instance);
  }
}

/** What a body without faults asks for. */
export function requestedCashOut({ payment, transaction, webhook }: PayoutLineDto): RequestedCashOut {
  return {
    payment: payment.qrCode ? byCode(payment, payment.qrCode) : toRecipient(payment),
    orderId: transaction.orderId,
    orderDescription: transaction.orderDescription || undefined,
    ...(webhook && { webhook: requestedWebhook(webhook) }),
    later: laterTerms(transaction),
  };
}

function byCode({ value, recipient }: CashOutPaymentDto, qrCode: string): ByCode {
  const taxNumber = recipient && parseTaxNumber(recipient.cpf)!.value;
  return {
    method: 'QrCode',
    qrCode: qrCode.trim(),
    code: parseBrCode(qrCode),
    requested: {
      ...(value && { amount: parseAmount(value)! }),
      ...(recipient?.name && { name: recipient.name }),
      ...(taxNumber && { taxNumber }),
    },
  };
}

/** Validation ensures that value and recipient are present without a code. */
function toRecipient({ key: givenKey, value, recipient }: CashOutPaymentDto): ToRecipient {
  const { name, cpf, account: given } = recipient!;
  const key = givenKey && parsePixKey(givenKey.type, givenKey.value);
  const account = given && accountIn(given);
  return {
    method: key ? (account ? 'KeyAndAccount' : 'Key') : 'Account',
    amount: parseAmount(value!)!,
    recipient: {
      name: name ?? '',
      taxNumber: parseTaxNumber(cpf)!.value,
      ...(key?.ok && { key: key.key }),
      ...(account?.ok && { account: account.account }),
    },
  };
}
