import type { NewEvent } from '../../event-store/index.js';
import { InvalidInputError } from '../../platform/errors/index.js';
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
  { uid, settings: before, version }: Partner,
  changes: Partial<PartnerSettings>,
): readonly NewEvent[] {
  const members = Object.entries(changes) as [keyof PartnerSettings, never][];
  const settings = Object.fromEntries(members.filter(([member, value]) => before[member] !== value));
  if (Object.keys(settings).length === 0) return [];
  const after: PartnerSettings = { ...before, ...settings };
  for (const [minimum, maximum] of RANGES) {
    if (after[maximum] === null || BigInt(after[minimum]) <= BigInt(after[maximum])) continue;
    throw new InvalidInputError('MinimumAboveMaximum', `${minimum} must not be above ${maximum}.`, {
      minimum: formatAmount(BigInt(after[minimum])),
      maximum: formatAmount(BigInt(after[maximum])),
    });
  }
  return [PartnerSettingsChanged.create(`partner-${uid}`, version + 1, { uid, settings })];
}
