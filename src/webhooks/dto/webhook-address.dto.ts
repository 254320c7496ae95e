import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText } from '../../platform/http/index.js';
import { MAX_HEADER_NAME_LENGTH, MAX_HEADER_VALUE_LENGTH } from '../../platform/outbound/custom-header.js';
import { MAX_URL_LENGTH } from '../../platform/outbound/outbound-url.js';

/** An address and a custom header, of a test or of an account. */
export class WebhookAddressDto {
  @ApiProperty({ example: 'https://partner.example/webhooks/pix' })
  @IsText({ minimum: 1, maximum: MAX_URL_LENGTH })
  url: string;

  @ApiProperty({ example: 'X-Webhook-Source' })
  @IsOptional()
  @IsText({ maximum: MAX_HEADER_NAME_LENGTH })
  customHeaderName?: string;

  @ApiProperty({ example: 'payments' })
  @IsOptional()
  @IsText({ maximum: MAX_HEADER_VALUE_LENGTH })
  customHeaderValue?: string;
}
