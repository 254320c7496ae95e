import { amountAboveZero, Optional, Required, RequiredObject, text } from '../../../platform/http/index.js';
import { ValidationError, type FaultDetail } from '../../../platform/errors/index.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { parseBankAccount } from '../../domain/values/bank-account.js';
import type { RailParty } from '../pix-rail.js';

export class SandboxPayerDto {
  @Required({ example: 'Fulano de Tal' }, text({ maximum: 140 }))
  name: string;

  @Required({ example: '52998224725', description: 'CPF or CNPJ' }, text({ maximum: 18 }), (value) =>
    parseTaxNumber(value as string) ? undefined : { code: 'InvalidFormat', message: 'must be a CPF or a CNPJ' },
  )
  taxNumber: string;

  @Required({ example: '99999008' }, text({ maximum: 8 }))
  ispb: string;

  @Required({ example: '0001' }, text({ maximum: 4 }))
  branch: string;

  @Required({ example: '1234567' }, text({ maximum: 21 }))
  number: string;

  @Optional(
    { example: '8', description: 'Without it, the last character of number is the digit' },
    text({ maximum: 1 }),
  )
  digit?: string;

  @Optional({ example: 'CheckingsAccount' }, text({ maximum: 20 }))
  type?: string;
}

export class SandboxPaymentDto {
  @Required({ example: '00020101021226…6304ABCD', description: 'The copy-and-paste code' }, text({ maximum: 600 }))
  qrCode: string;

  @RequiredObject(() => SandboxPayerDto)
  payer: SandboxPayerDto;

  @Optional(
    { example: '10.50', description: 'What is paid, where it differs from the charge' },
    amountAboveZero('PaymentValueMustBeGreaterThanZero'),
  )
  amount?: string;
}

/** The payer as the rail names them. @throws ValidationError with every fault of the account */
export function toRailParty({ name, taxNumber, ...account }: SandboxPayerDto): RailParty {
  const parsed = parseBankAccount(account, 'optional');
  if (!parsed.ok) {
    throw new ValidationError(
      parsed.faults.map(({ member, code, message, info }): FaultDetail => ({
        path: `payer.${member}`,
        code,
        message,
        info: { ...info },
      })),
    );
  }
  return { name, taxNumber: parseTaxNumber(taxNumber)!.value, ...parsed.account };
}
