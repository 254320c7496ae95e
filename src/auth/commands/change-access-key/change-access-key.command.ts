import { Command } from '@nestjs/cqrs';

export type AccessKeyChange = 'disable' | 'enable' | 'revoke';

export class ChangeAccessKey extends Command<void> {
  constructor(
    readonly accessKey: string,
    readonly change: AccessKeyChange,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
