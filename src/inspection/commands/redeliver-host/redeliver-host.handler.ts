import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FailingDeliveries, RedeliverWebhook } from '../../../webhooks/index.js';
import { RedeliverHost, type RedeliveredHost } from './redeliver-host.command.js';

/** Deliveries asked for again in one request; more are left to the next. */
const MOST = 200;
const AT_ONCE = 8;

@CommandHandler(RedeliverHost)
export class RedeliverHostHandler implements ICommandHandler<RedeliverHost> {
  constructor(
    private readonly failing: FailingDeliveries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ host, actor, requestId }: RedeliverHost): Promise<RedeliveredHost> {
    const filters = { host, partnerUid: undefined, transactionId: undefined };
    const given = await Promise.all(
      (['Stopped', 'Exhausted'] as const).map((status) =>
        this.failing.list({ ...filters, status }, undefined, MOST + 1),
      ),
    );
    const ids = given.flatMap(({ rows }) => rows.map(({ id }) => id)).sort();
    const queue = ids.slice(0, MOST).values();
    const next = async () => {
      for (const id of queue) await this.commands.execute(new RedeliverWebhook(id, undefined, actor, requestId));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    return { queued: Math.min(ids.length, MOST), more: ids.length > MOST };
  }
}
