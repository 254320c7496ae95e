import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { validate } from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import type { AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { accountIn } from '../../dto/bank-account.checks.js';
import { requestedWebhook, type RequestedWebhook, webhookPolicy } from '../../dto/webhook.js';
import type { ExpectedPayer } from '../../domain/events/shared.js';
import { payerAccountOf, validationAccountOf } from '../../domain/values/bank-account.js';
import { cashInFaults, type PayerDto, RequestCashInDto } from './request-cash-in.dto.js';

/** A requested cash-in, every value normalised. */
export interface RequestedCashIn {
  /** Centavos, above zero. */
  readonly amount: bigint;
  /** `undefined` where the request names no payer. */
  readonly payer: ExpectedPayer | undefined;
  readonly orderId: string;
  readonly orderDescription: string | undefined;
  /** Seconds in which it can be paid. */
  readonly expiresIn: number;
  readonly webhook: RequestedWebhook;
}

/** Reads and checks the body of a cash-in. All faults at once. */
@Injectable()
export class CashInBody implements PipeTransform<unknown, RequestedCashIn> {
  readonly #policy: AddressPolicy;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.#policy = webhookPolicy(config);
  }

  transform(body: unknown): RequestedCashIn {
    const longest = this.config.cashInExpirySeconds;
    const valid = validate(RequestCashInDto, body, (dto) => cashInFaults(dto, this.#policy, longest));
    const { payment, transaction, webhook } = valid;
    return {
      amount: parseAmount(payment.value.original)!,
      payer: payerOf(payment.payer ?? {}),
      orderId: transaction.orderId,
      orderDescription: transaction.orderDescription || undefined,
      expiresIn: transaction.expiresIn ?? longest,
      webhook: requestedWebhook(webhook),
    };
  }
}

function payerOf({ name, cpf, account, validationAccounts }: PayerDto): ExpectedPayer | undefined {
  const parsed = account && accountIn(account);
  const several = (validationAccounts ?? [])
    .map(accountIn)
    .flatMap((one) => (one.ok ? validationAccountOf(one.account) : []));
  const payer: ExpectedPayer = {
    name: name ?? '',
    ...(cpf && { taxNumber: parseTaxNumber(cpf)!.value }),
    ...(parsed?.ok && { account: payerAccountOf(parsed.account) }),
    ...(several.length > 0 && { validationAccounts: several }),
  };
  return payer.name === '' && Object.keys(payer).length === 1 ? undefined : payer;
}
