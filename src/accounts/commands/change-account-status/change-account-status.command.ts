import { Command } from '@nestjs/cqrs';

export class ChangeAccountStatus extends Command<void> {
  constructor(
    readonly uid: string,
    readonly change: 'activate' | 'deactivate',
    readonly reason: string,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
