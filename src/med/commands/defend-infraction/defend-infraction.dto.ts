import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional } from 'class-validator';
import { IsText, rule, stacked, told } from '../../../platform/http/index.js';

const MAX_LINKS = 10;
const MAX_LINK = 500;

function AreLinks(): PropertyDecorator {
  const isLink = (value: unknown) =>
    typeof value === 'string' && value.length <= MAX_LINK && URL.parse(value)?.protocol === 'https:';
  const fault = { code: 'InvalidFormat', message: `must be https addresses of at most ${MAX_LINK} characters` };
  return stacked(
    IsArray(told({ code: 'InvalidType', message: 'must be a list', info: { expected: 'array' } })),
    ArrayMaxSize(
      MAX_LINKS,
      told({ code: 'TooMany', message: `must have at most ${MAX_LINKS} elements`, info: { maximum: MAX_LINKS } }),
    ),
    rule('areLinks', (value) => (!Array.isArray(value) || value.every(isLink) ? undefined : fault)),
  );
}

export class DefenceDto {
  @ApiProperty({ example: 'The goods were delivered on 2026-11-19; the receipt is signed.' })
  @IsText({ minimum: 1, maximum: 2_000 })
  text: string;

  @ApiProperty({
    type: [String],
    example: ['https://shop.example/orders/1234/receipt'],
    description: `Evidence: https addresses of at most ${MAX_LINK} characters`,
    maxItems: MAX_LINKS,
  })
  @IsOptional()
  @AreLinks()
  links?: string[];
}
