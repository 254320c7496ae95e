import type { NewEvent } from '../../event-store/index.js';
import { EntityNotFound, InvalidInputError } from '../../platform/errors/index.js';
import { formatAmount } from '../../platform/money.js';
import type { Partner } from './partner.js';
import { type PartnerSettings, PartnerSettingsChanged } from './partner.events.js';

const RANGES = [
  ['transferMinimum', 'transferMaximum'],
  ['cashInMinimum', 'cashInMaximum'],
  ['cashOutMinimum', 'cashOutMaximum'],
] as const;

/** The event has only the changed settings; without a change there is no event. */
export function decideSettingsChange(
  partner: Partner | undefined,
  uid: string,
  changes: Partial<PartnerSettings>,
): readonly NewEvent[] {
  if (!partner) throw new EntityNotFound('PartnerEntity', 'uid', uid);
  const members = Object.entries(changes) as [keyof PartnerSettings, never][];
  const settings = Object.fromEntries(members.filter(([member, value]) => partner.settings[member] !== value));
  if (Object.keys(settings).length === 0) return [];
  const after: PartnerSettings = { ...partner.settings, ...settings };
  for (const [minimum, maximum] of RANGES) {
    if (after[maximum] === null || BigInt(after[minimum]) <= BigInt(after[maximum])) continue;
    throw new InvalidInputError('MinimumAboveMaximum', `${minimum} must not be above ${maximum}.`, {
      minimum: formatAmount(BigInt(after[minimum])),
      maximum: formatAmount(BigInt(after[maximum])),
    });
  }
  return [PartnerSettingsChanged.create(`partner-${uid}`, partner.version + 1, { uid, settings })];
}
