import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, UUID, WHOLE } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { Partner } from '../../domain/partner.js';
import { DEFAULT_SETTINGS, type PartnerHolder, type PartnerSettings } from '../../domain/partner.events.js';

/** Settings as the operator reads them: amounts with two decimals. */
export class SettingsView implements Omit<PartnerSettings, 'payoutLimits'> {
  @ApiProperty(AMOUNT) readonly transferMinimum: string;
  @ApiProperty(AMOUNT) readonly transferMaximum: string | null;
  @ApiProperty(AMOUNT) readonly cashInMinimum: string;
  @ApiProperty(AMOUNT) readonly cashInMaximum: string | null;
  @ApiProperty(AMOUNT) readonly cashOutMinimum: string;
  @ApiProperty(AMOUNT) readonly cashOutMaximum: string | null;
  /** From 20:00 to 06:00, America/Sao_Paulo */
  @ApiProperty(AMOUNT) readonly cashOutNightMaximum: string | null;
  @ApiProperty(AMOUNT) readonly cashInCharge: string;
  @ApiProperty(AMOUNT) readonly cashOutCharge: string;
  /** From it on accounts of class Legacy can no longer transfer */
  @ApiProperty({ format: 'date-time' }) readonly sunsetDate: string | null;
  readonly uniqueOrderIds: boolean;
  /** Of a key with an account the account is paid, where the rail cannot compare them */
  readonly accountDecides: boolean;
}

/** A partner as the operator sees it. */
export class PartnerView {
  @ApiProperty(UUID) readonly uid: string;
  /** Empty where the person was forgotten, as the tax number */
  readonly name: string;
  readonly taxNumber: string;
  /** Where its money is */
  @ApiProperty(WHOLE) readonly partition: number;
  readonly registeredAt: Date;
  readonly settings: SettingsView;
}

export function showSettings({
  sunsetDate,
  uniqueOrderIds,
  accountDecides,
  payoutLimits: _elsewhere,
  ...amounts
}: PartnerSettings): SettingsView {
  const shown = Object.entries(amounts).map(([name, value]) => [name, value && formatAmount(BigInt(value))]);
  return { ...(Object.fromEntries(shown) as typeof amounts), sunsetDate, uniqueOrderIds, accountDecides };
}

export function showPartner(partner: Partner, holder: PartnerHolder | null): PartnerView {
  return {
    uid: partner.uid,
    name: holder?.name ?? '',
    taxNumber: holder?.taxNumber ?? '',
    partition: partner.homePartition,
    registeredAt: partner.registeredAt,
    settings: showSettings(partner.settings),
  };
}

/** For the documents. */
export const PARTNER_EXAMPLE = {
  uid: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  name: 'Loja Exemplo Ltda',
  taxNumber: '11222333000181',
  partition: 1,
  registeredAt: '2026-11-20T14:04:05.123Z',
  settings: showSettings(DEFAULT_SETTINGS),
};
