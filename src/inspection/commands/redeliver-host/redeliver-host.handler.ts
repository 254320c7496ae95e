import { Logger } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { partitionOf } from '../../../event-store/index.js';
import { FailingDeliveries, RedeliverWebhook } from '../../../webhooks/index.js';
import { RedeliverHost, type RedeliveredHost } from './redeliver-host.command.js';

/** Deliveries of one request; the rest is left to the next. */
const MAX = 200;
const CONCURRENCY = 8;

@CommandHandler(RedeliverHost)
export class RedeliverHostHandler implements ICommandHandler<RedeliverHost> {
  readonly #logger = new Logger('Webhooks');

  constructor(
    private readonly failing: FailingDeliveries,
    private readonly commands: CommandBus,
  ) {}

  /** @throws the fault of a request for redelivery, when none of them was recorded */
  async execute({ host, actor, requestId }: RedeliverHost): Promise<RedeliveredHost> {
    const filters = { host, partnerUid: undefined, transactionId: undefined };
    const failed = await Promise.all(
      (['Stopped', 'Exhausted'] as const).map((status) =>
        this.failing.list({ ...filters, status }, undefined, MAX + 1),
      ),
    );
    const ids = failed.flatMap(({ rows }) => rows.map(({ id }) => id)).sort();
    const { queued, faults } = await this.#request(ids.slice(0, MAX), actor, requestId);
    if (queued === 0 && faults.length > 0) throw faults[0];
    const away = failed.some((one) => one.away.length > 0);
    return { queued, more: ids.length > MAX || away || faults.length > 0 };
  }

  /** A partition that refuses one is asked for no more: what the others have recorded stays. */
  async #request(ids: readonly string[], actor: string, requestId: string) {
    const faults = new Map<number, unknown>();
    let queued = 0;
    const queue = ids.values();
    const next = async () => {
      for (const id of queue) {
        const partition = partitionOf(id)!;
        if (faults.has(partition)) continue;
        try {
          await this.commands.execute(new RedeliverWebhook(id, undefined, actor, requestId));
          queued += 1;
        } catch (error) {
          this.#logger.warn({ err: error, delivery: id }, 'delivery not queued, left to the next request');
          faults.set(partition, error);
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, next));
    return { queued, faults: [...faults.values()] };
  }
}
