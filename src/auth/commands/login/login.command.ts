import { ApiProperty } from '@nestjs/swagger';
import { MOMENT, WHOLE } from '../../../platform/http/index.js';
import { Command } from '@nestjs/cqrs';

export class Login {
  readonly token: string;
  readonly tokenType: 'Bearer';
  /** Seconds */
  @ApiProperty(WHOLE) readonly expiresIn: number;
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
