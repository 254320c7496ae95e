import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../../platform/http/index.js';

/** Contract 2.1. */
export class LoginDto {
  @ApiProperty({ example: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e', description: 'Access key' })
  @IsText({ minimum: 1, maximum: 128 })
  accessKey: string;

  @ApiProperty({ example: 'sk_…', description: 'Its secret' })
  @IsText({ minimum: 1, maximum: 256 })
  secret: string;
}
