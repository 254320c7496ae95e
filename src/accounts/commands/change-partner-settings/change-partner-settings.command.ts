import { Command } from '@nestjs/cqrs';
import type { PartnerSettings } from '../../domain/partner.events.js';

export class ChangePartnerSettings extends Command<PartnerSettings> {
  constructor(
    readonly partnerUid: string,
    readonly changes: Partial<PartnerSettings>,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
