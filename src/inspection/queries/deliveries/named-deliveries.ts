import { Injectable } from '@nestjs/common';
import { FailingDeliveries, type FoundDelivery, hostOf } from '../../../webhooks/index.js';
import { Names } from '../../names/names.js';
import type { FailingDeliveryView } from './deliveries.answer.js';

/** Adds names and open circuits to deliveries, for operators. */
@Injectable()
export class NamedDeliveries {
  constructor(
    private readonly failing: FailingDeliveries,
    private readonly names: Names,
  ) {}

  /** @param away called for partitions that did not answer */
  async show(rows: readonly FoundDelivery[], away: (partition: number) => void): Promise<FailingDeliveryView[]> {
    const [partners, holders] = await Promise.all([
      this.names.partners(rows.map(({ partnerUid }) => partnerUid)),
      this.names.holders([...new Set(rows.map(({ accountUid }) => accountUid))], away),
    ]);
    return rows.map((row) => ({
      ...show(row),
      partnerName: partners.get(row.partnerUid) ?? null,
      accountName: holders.get(row.accountUid)?.holder?.name || null,
      circuit: this.failing.circuitOf(row),
    }));
  }
}

function show({ dueAt, url, attempts, ...row }: FoundDelivery) {
  const last = attempts.at(-1);
  return {
    ...row,
    url,
    host: hostOf(url),
    // Only the newest are stored; their numbers go on.
    attempts: last?.number ?? 0,
    lastAttemptAt: last?.startedAt ?? null,
    httpStatus: last?.httpStatus ?? null,
    error: last?.error ?? null,
    nextAttemptAt: dueAt,
  };
}
