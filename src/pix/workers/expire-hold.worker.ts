import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ExpireHold, LoggedHolds } from '../../accounts/index.js';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import type { PixWorker } from './pix-work.js';

const RETRY_MS = 1_000;

/**
 * Releases what is still blocked of a deposit when its hold's time is over. Both are taken from the hold's events: by
 * its row, which somebody may have changed, money would be released early, or stay blocked for ever.
 */
@Injectable()
export class ExpireHoldWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly holds: LoggedHolds,
  ) {}

  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const hold = await this.holds.find(subject);
    if (hold?.status !== 'Open' || !hold.expiresAt) return 'done';
    const [expiresAt, now] = [hold.expiresAt.getTime(), Date.now()];
    if (expiresAt > now) return { retryAt: new Date(Math.max(expiresAt, now + RETRY_MS)) };
    await this.commands.execute(new ExpireHold(hold.accountUid, hold.id));
    // The log's clock may be behind this process's: then it has not expired, and is looked at again.
    const after = await this.holds.find(subject);
    return after?.status === 'Open' ? { retryAt: new Date(Date.now() + RETRY_MS) } : 'done';
  }
}
