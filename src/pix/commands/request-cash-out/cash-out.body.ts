import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { validate } from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import type { AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { requestedWebhook, type RequestedWebhook, webhookPolicy } from '../../body/webhook.js';
import type { CashOutMethod, Recipient } from '../../domain/events/shared.js';
import { parseBankAccount } from '../../domain/values/bank-account.js';
import { parsePixKey } from '../../domain/values/pix-key.js';
import { cashOutFaults, RequestCashOutDto } from './request-cash-out.dto.js';

/** A cash-out as asked for, every value in its normal form. */
export interface RequestedCashOut {
  readonly method: CashOutMethod;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly recipient: Recipient;
  readonly orderId: string;
  readonly orderDescription: string | undefined;
  readonly webhook: RequestedWebhook;
}

/** Reads and checks the body of a cash-out. All faults at once. */
@Injectable()
export class CashOutBody implements PipeTransform<unknown, RequestedCashOut> {
  readonly #policy: AddressPolicy;

  constructor(@Inject(CONFIG) config: Config) {
    this.#policy = webhookPolicy(config);
  }

  transform(body: unknown): RequestedCashOut {
    const valid = validate(RequestCashOutDto, body, (dto) => cashOutFaults(dto, this.#policy));
    const { payment, transaction, webhook } = valid;
    const key = payment.key && parsePixKey(payment.key.type, payment.key.value);
    const given = payment.recipient.account;
    const account =
      given &&
      parseBankAccount(
        { ...given, digit: given.digit ?? undefined, type: given.type ?? undefined },
        key ? 'optional' : 'required',
      );
    return {
      method: key ? (account ? 'KeyAndAccount' : 'Key') : 'Account',
      amount: parseAmount(payment.value)!,
      recipient: {
        name: payment.recipient.name ?? '',
        taxNumber: parseTaxNumber(payment.recipient.cpf)!.value,
        ...(key?.ok && { key: key.key }),
        ...(account?.ok && { account: account.account }),
      },
      orderId: transaction.orderId,
      orderDescription: transaction.orderDescription || undefined,
      webhook: requestedWebhook(webhook),
    };
  }
}
