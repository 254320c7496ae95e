import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { decodeCursor, CURSOR_KEY, encodeCursor } from '../../../platform/http/index.js';
import {
  type DeliverySearch,
  FailingDeliveries,
  type FoundDelivery,
  RedeliverWebhook,
} from '../../../webhooks/index.js';
import { Names } from '../../names/names.js';
import type { FailingDeliveryPage, FailingDeliveryView, RedeliveredHost } from './deliveries.answer.js';

/** Hosts that are listed. */
const MOST_HOSTS = 20;
/** Deliveries asked for again in one request; more are left to the next. */
const MOST_AGAIN = 200;
const AT_ONCE = 8;

/** Deliveries of all accounts, for operators. */
@Injectable()
export class InspectedDeliveries {
  constructor(
    private readonly failing: FailingDeliveries,
    private readonly names: Names,
    private readonly commands: CommandBus,
  ) {}

  /** Newest first, with the hosts that they go to. @throws ValidationError for a cursor of another list */
  async list(filters: DeliverySearch, limit: number, cursor: string | undefined): Promise<FailingDeliveryPage> {
    const list = ['failing', filters.status, filters.partnerUid, filters.host, filters.transactionId];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id);
    const { rows, away } = await this.failing.list(filters, before, limit + 1);
    const hosts = await this.failing.hosts(MOST_HOSTS);
    const shown = rows.slice(0, limit);
    const missing = new Set(away);
    return {
      items: await this.#show(shown, (partition) => missing.add(partition)),
      nextCursor: rows.length > limit ? encodeCursor(list, shown.at(-1)!.id) : null,
      hosts,
      partitionsAway: [...missing].sort((a, b) => a - b),
    };
  }

  /** @throws EntityNotFound */
  async one(id: string): Promise<FailingDeliveryView> {
    const row = await this.failing.one(id);
    if (!row) throw new EntityNotFound('WebhookDeliveryEntity', 'id', id);
    const [shown] = await this.#show([row], () => undefined);
    return shown!;
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

  async #show(rows: readonly FoundDelivery[], away: (partition: number) => void): Promise<FailingDeliveryView[]> {
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
    host: url.split('/', 3)[2] ?? '',
    attempts: attempts.length,
    lastAttemptAt: last?.startedAt ?? null,
    httpStatus: last?.httpStatus ?? null,
    error: last?.error ?? null,
    nextAttemptAt: dueAt,
  };
}
