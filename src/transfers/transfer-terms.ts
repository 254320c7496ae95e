import { amountLimits, type PartnerSettings } from '../accounts/index.js';
import type { TransferState } from './domain/transfer.decider.js';

/** What the operator's settings say of transfers. */
export function transferTerms({
  transferMinimum,
  transferMaximum,
  sunsetDate,
}: PartnerSettings): Pick<TransferState, 'limits' | 'sunset'> {
  return {
    limits: amountLimits(transferMinimum, transferMaximum),
    sunset: sunsetDate === null ? null : new Date(sunsetDate),
  };
}
