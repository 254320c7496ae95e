import type { PartnerSettings, PartnerView } from '../accounts/index.js';
import type { Operator } from '../auth/index.js';
import { formatAmount } from '../platform/money.js';

/** Who acted, as events name it. */
export function actorOf({ name }: Operator): string {
  return `operator:${name}`;
}

/** Settings as the operator reads them: amounts with two decimals. */
export function showSettings({ sunsetDate, uniqueOrderIds, ...amounts }: PartnerSettings) {
  const shown = Object.entries(amounts).map(([name, value]) => [
    name,
    value === null ? null : formatAmount(BigInt(value)),
  ]);
  return { ...(Object.fromEntries(shown) as Record<keyof typeof amounts, string | null>), sunsetDate, uniqueOrderIds };
}

export function showPartner(partner: PartnerView) {
  return { ...partner, settings: showSettings(partner.settings) };
}
