import { Command } from '@nestjs/cqrs';

export class RotatedWebhookSecret {
  readonly webhookSecret: string;
  /** Until then the previous secret signs too. */
  readonly previousValidUntil: Date;
}

export class RotateWebhookSecret extends Command<RotatedWebhookSecret> {
  constructor(
    readonly partnerUid: string,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
