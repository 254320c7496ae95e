import { Injectable, type PipeTransform } from '@nestjs/common';
import { validate } from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { codeFaults } from '../../dto/code.checks.js';
import { parseBankAccount } from '../../domain/values/bank-account.js';
import { type ParsedBrCode, parseBrCode } from '../../domain/values/br-code.js';
import type { RailParty } from '../pix-rail.js';
import { type SandboxPayerDto, SandboxPaymentDto } from './payments.dto.js';

/** A requested payment, every value normalised. */
export interface RequestedPayment {
  readonly qrCode: string;
  readonly code: ParsedBrCode;
  /** As the rail has them. */
  readonly payer: RailParty;
  /** Centavos, above zero; `undefined`: the amount of the code. */
  readonly amount: bigint | undefined;
}

/** Reads and checks the body of a payment. All faults at once. */
@Injectable()
export class SandboxPaymentBody implements PipeTransform<unknown, RequestedPayment> {
  transform(body: unknown): RequestedPayment {
    const { qrCode, payer, amount } = validate(SandboxPaymentDto, body, ({ qrCode: code }) =>
      codeFaults('qrCode', code),
    );
    return {
      qrCode,
      code: parseBrCode(qrCode),
      payer: toRailParty(payer),
      amount: amount === undefined || amount === null ? undefined : parseAmount(amount),
    };
  }
}

function toRailParty({ name, taxNumber, ...account }: SandboxPayerDto): RailParty {
  const parsed = parseBankAccount({ ...account, digit: account.digit ?? undefined, type: account.type ?? undefined });
  if (!parsed.ok) throw new TypeError('the account has faults that its members do not have');
  return { name, taxNumber: parseTaxNumber(taxNumber)!.value, ...parsed.account };
}
