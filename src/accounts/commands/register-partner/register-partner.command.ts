import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../../platform/http/index.js';

export class RegisteredPartner {
  @ApiProperty(UUID) readonly uid: string;
  readonly name: string;
  /** Shown once, like that of a rotation. */
  readonly webhookSecret: string;
}

export class RegisterPartner extends Command<RegisteredPartner> {
  constructor(
    readonly partnerName: string,
    /** Normalised CPF or CNPJ. */
    readonly taxNumber: string,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
