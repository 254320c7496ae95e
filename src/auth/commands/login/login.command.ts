import { ApiProperty } from '@nestjs/swagger';
import { MOMENT } from '../../../platform/http/index.js';
import { Command } from '@nestjs/cqrs';

export class Login {
  @ApiProperty() readonly token: string;
  @ApiProperty({ enum: ['Bearer'] }) readonly tokenType: 'Bearer';
  @ApiProperty({ type: 'integer', description: 'Seconds' }) readonly expiresIn: number;
  @ApiProperty(MOMENT) readonly expiresAt: string;
}

export class LogIn extends Command<Login> {
  constructor(
    readonly accessKey: string,
    readonly secret: string,
    readonly address: string,
  ) {
    super();
  }
}
