import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ExpireHold, HoldRows } from '../../accounts/index.js';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import type { PixWorker } from './pix-work.js';

/** Releases what is still blocked of a deposit when its hold's time is over. */
@Injectable()
export class ExpireHoldWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly holds: HoldRows,
  ) {}

  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const hold = await this.holds.find(subject);
    if (hold?.status !== 'Open') return 'done';
    await this.commands.execute(new ExpireHold(hold.accountUid, hold.id));
    // The log's clock may be behind this process's: then it has not expired, and is looked at again.
    const after = await this.holds.find(subject);
    return after?.status === 'Open' ? { retryAt: new Date(Date.now() + RETRY_MS) } : 'done';
  }
}

const RETRY_MS = 1_000;
