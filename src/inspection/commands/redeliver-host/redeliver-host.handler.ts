import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FailingDeliveries, RedeliverWebhook } from '../../../webhooks/index.js';
import { RedeliverHost, type RedeliveredHost } from './redeliver-host.command.js';

/** Deliveries of one request; the rest is left to the next. */
const MAX = 200;
const CONCURRENCY = 8;

@CommandHandler(RedeliverHost)
export class RedeliverHostHandler implements ICommandHandler<RedeliverHost> {
  constructor(
    private readonly failing: FailingDeliveries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ host, actor, requestId }: RedeliverHost): Promise<RedeliveredHost> {
    const filters = { host, partnerUid: undefined, transactionId: undefined };
    const failed = await Promise.all(
      (['Stopped', 'Exhausted'] as const).map((status) =>
        this.failing.list({ ...filters, status }, undefined, MAX + 1),
      ),
    );
    const ids = failed.flatMap(({ rows }) => rows.map(({ id }) => id)).sort();
    const queue = ids.slice(0, MAX).values();
    const next = async () => {
      for (const id of queue) await this.commands.execute(new RedeliverWebhook(id, undefined, actor, requestId));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, next));
    return { queued: Math.min(ids.length, MAX), more: ids.length > MAX };
  }
}
