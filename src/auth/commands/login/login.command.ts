import { Command } from '@nestjs/cqrs';

export interface Login {
  readonly token: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly expiresAt: string;
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
