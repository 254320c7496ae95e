import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rail-notifications.js';
import { SandboxBehaviour } from './behaviour.js';
import { type News, newTask, Tasks } from './tasks.js';

/** Tells the ledger what happened, as badly as the sandbox is told to behave. */
@Injectable()
export class Teller {
  constructor(
    private readonly modules: ModuleRef,
    private readonly behaviour: SandboxBehaviour,
    private readonly tasks: Tasks,
  ) {}

  /**
   * Whom the sandbox tells. Looked up when it is needed: the rail is made before the module that listens to it, and does
   * not depend on that.
   */
  get ledger(): RailNotifications {
    return this.modules.get<RailNotifications>(RAIL_NOTIFICATIONS, { strict: false });
  }

  /**
   * Tells news now, as often as it is to be repeated, the repetitions at once with the first; or plans it for later.
   * @param tell must give every time the same answer, or one that is worth more the first time
   * @returns the ledger's answer; `undefined` when it is not told, or not yet
   */
  async tell<T>(news: News, id: string, tell: (ledger: RailNotifications) => Promise<T>): Promise<T | undefined> {
    const { notifications, delayMs, copies } = await this.behaviour.get();
    if (notifications === 'drop') return undefined;
    if (delayMs === 0) {
      const answers = await Promise.all(Array.from({ length: copies }, () => tell(this.ledger)));
      // Copies race: the one that came first was applied, whichever it was.
      return answers.find((answer) => answer === 'Applied') ?? answers[0];
    }
    const due = new Date(Date.now() + delayMs);
    await this.tasks.add(Array.from({ length: copies }, () => newTask({ kind: 'Tell', payload: { news } }, id, due)));
    return undefined;
  }
}
