import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { decodeCursor, CURSOR_KEY, encodeCursor } from '../../platform/http/index.js';
import {
  FailingDeliveries,
  type FailingDelivery,
  type FailingFilters,
  RedeliverWebhook,
} from '../../webhooks/index.js';
import { Names } from '../names/names.js';
import type { FailingDeliveryPage, RedeliveredHost } from './deliveries.answer.js';

/** Hosts that are listed. */
const MOST_HOSTS = 20;
/** Deliveries asked for again in one request; more are left to the next. */
const MOST_AGAIN = 200;
const AT_ONCE = 8;

/** Deliveries of all accounts that are not delivered, for operators. */
@Injectable()
export class InspectedDeliveries {
  constructor(
    private readonly failing: FailingDeliveries,
    private readonly names: Names,
    private readonly commands: CommandBus,
  ) {}

  /** Newest first, with the hosts that they go to. @throws ValidationError for a cursor of another list */
  async list(filters: FailingFilters, limit: number, cursor: string | undefined): Promise<FailingDeliveryPage> {
    const list = ['failing', filters.status, filters.partnerUid, filters.host, filters.transactionId];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id);
    const { rows, away } = await this.failing.list(filters, before, limit + 1);
    const hosts = await this.failing.hosts(MOST_HOSTS);
    const shown = rows.slice(0, limit);
    const missing = new Set(away);
    const [partners, holders] = await Promise.all([
      this.names.partners(shown.map(({ partnerUid }) => partnerUid)),
      this.names.holders([...new Set(shown.map(({ accountUid }) => accountUid))], (partition) =>
        missing.add(partition),
      ),
    ]);
    return {
      items: shown.map((row) => ({
        ...show(row),
        partnerName: partners.get(row.partnerUid) ?? null,
        accountName: holders.get(row.accountUid)?.holder?.name || null,
      })),
      nextCursor: rows.length > limit ? encodeCursor(list, shown.at(-1)!.id) : null,
      hosts,
      partitionsAway: [...missing].sort((a, b) => a - b),
    };
  }

  /** Asks again for what was given up of a host. @returns how many, and whether there are more */
  async redeliver(host: string, actor: string, requestId: string): Promise<RedeliveredHost> {
    const filters = { host, partnerUid: undefined, transactionId: undefined };
    const given = await Promise.all(
      (['Stopped', 'Exhausted'] as const).map((status) =>
        this.failing.list({ ...filters, status }, undefined, MOST_AGAIN + 1),
      ),
    );
    const ids = given.flatMap(({ rows }) => rows.map(({ id }) => id)).sort();
    const queue = ids.slice(0, MOST_AGAIN).values();
    const next = async () => {
      for (const id of queue) await this.commands.execute(new RedeliverWebhook(id, undefined, actor, requestId));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    return { queued: Math.min(ids.length, MOST_AGAIN), more: ids.length > MOST_AGAIN };
  }
}

function show({ dueAt, url, attempts, ...row }: FailingDelivery) {
  const { id, transactionId, transactionState, accountUid, partnerUid, status } = row;
  const last = attempts.at(-1);
  return {
    ...{ id, transactionId, transactionState, accountUid, partnerUid, status, url },
    host: url.split('/', 3)[2] ?? '',
    attempts: attempts.length,
    lastAttemptAt: last?.startedAt ?? null,
    httpStatus: last?.httpStatus ?? null,
    error: last?.error ?? null,
    nextAttemptAt: dueAt,
  };
}
