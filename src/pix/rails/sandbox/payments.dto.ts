import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAmountAboveZero, IsNested, IsTaxNumber, IsText } from '../../../platform/http/index.js';
import { BankAccountDto, MAX_NAME } from '../../dto/members.dto.js';
import { MAX_CODE } from '../../dto/code.checks.js';

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
