import { Injectable, type PipeTransform } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsText, validate } from '../../../platform/http/index.js';
import { codeFaults, MAX_CODE } from '../../dto/code.checks.js';
import { type ParsedBrCode, parseBrCode } from '../../domain/values/br-code.js';

export class DecodeCodeDto {
  @ApiProperty({ example: '00020101021226…6304ABCD', description: 'The copy-and-paste code' })
  @IsText({ maximum: MAX_CODE })
  qrCode: string;
}

/** Reads the body: a code that is whole. */
@Injectable()
export class DecodeCodeBody implements PipeTransform<unknown, ParsedBrCode> {
  transform(body: unknown): ParsedBrCode {
    return parseBrCode(validate(DecodeCodeDto, body, ({ qrCode }) => codeFaults('qrCode', qrCode)).qrCode);
  }
}
