import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { Registry } from '../../registry.js';
import { type DefaultLimitsView, showDefaultLimits } from './default-limits-view.js';
import { type PayoutLimitsView, showPayoutLimits } from './payout-limits-view.js';
import { GetDefaultLimits, GetPayoutLimits } from './payout-limits.query.js';

@QueryHandler(GetPayoutLimits)
export class GetPayoutLimitsHandler implements IQueryHandler<GetPayoutLimits> {
  constructor(private readonly registry: Registry) {}

  async execute({ uid, partnerUid }: GetPayoutLimits): Promise<PayoutLimitsView> {
    const account = await this.registry.account(uid);
    if (partnerUid !== undefined && account.partnerUid !== partnerUid) {
      throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
    }
    return showPayoutLimits(await this.registry.payoutLimits(account), new Date());
  }
}

@QueryHandler(GetDefaultLimits)
export class GetDefaultLimitsHandler implements IQueryHandler<GetDefaultLimits> {
  constructor(private readonly registry: Registry) {}

  async execute({ partnerUid }: GetDefaultLimits): Promise<DefaultLimitsView> {
    const { settings } = await this.registry.partner(partnerUid);
    return showDefaultLimits(settings.payoutLimits, new Date());
  }
}
