import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAmountAboveZero, IsNested, IsTaxNumber, IsText, type LocatedFault } from '../../../platform/http/index.js';
import { BankAccountDto, MAX_NAME } from '../../dto/members.dto.js';
import { codeFaults, MAX_CODE } from '../../dto/code.checks.js';
import { parseBrCode } from '../../domain/values/br-code.js';

export class SandboxPayerDto extends BankAccountDto {
  @ApiProperty({ example: 'Fulano de Tal' })
  @IsText({ maximum: MAX_NAME })
  name: string;

  @ApiProperty({ example: '52998224725', description: 'CPF or CNPJ' })
  @IsText({ maximum: 18 })
  @IsTaxNumber('must be a CPF or a CNPJ')
  taxNumber: string;
}

export class SandboxPaymentDto {
  @ApiProperty({ example: '00020101021226…6304ABCD', description: 'The copy-and-paste code' })
  @IsText({ maximum: MAX_CODE })
  qrCode: string;

  @IsNested(() => SandboxPayerDto)
  payer: SandboxPayerDto;

  @ApiProperty({ example: '10.50', description: 'What is paid, where it differs from the charge' })
  @IsOptional()
  @IsAmountAboveZero('PaymentValueMustBeGreaterThanZero')
  amount?: string;
}

/** Rules over several members: the code must be well-formed, and fix the amount where the body does not. */
export function sandboxPaymentFaults({ qrCode, amount }: SandboxPaymentDto): LocatedFault[] {
  const faults = codeFaults('qrCode', qrCode);
  if (faults.length > 0 || typeof qrCode !== 'string') return faults;
  const code = parseBrCode(qrCode);
  const isOpen = code.kind === 'Static' && code.amount === undefined;
  if (!isOpen || (amount !== undefined && amount !== null)) return [];
  const info = { missingProperty: 'amount' };
  return [{ path: 'amount', code: 'Required', message: 'the code names no amount', info }];
}
