import { Inject, Injectable } from '@nestjs/common';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rail-notifications.js';
import { SandboxBehaviour } from './behaviour.js';
import { type NotificationKind, newTask, Tasks } from './tasks.js';

/** Notifies the service, with the faults that the sandbox's behaviour asks for. */
@Injectable()
export class SandboxNotifier {
  constructor(
    @Inject(RAIL_NOTIFICATIONS) readonly inbox: RailNotifications,
    private readonly behaviour: SandboxBehaviour,
    private readonly tasks: Tasks,
  ) {}

  /**
   * Notifies now, with all copies at once; or plans it for later.
   * @param notify gives the same answer each time, or `Applied` the first time
   * @returns the ledger's answer; `undefined` when it is not notified, or later
   */
  async notify<T>(
    kind: NotificationKind,
    id: string,
    notify: (inbox: RailNotifications) => Promise<T>,
  ): Promise<T | undefined> {
    const { notifications, delayMs, copies } = await this.behaviour.get();
    if (notifications === 'drop') return undefined;
    if (delayMs === 0) {
      const answers = await Promise.all(Array.from({ length: copies }, () => notify(this.inbox)));
      // Copies race: any of them may be the one that was applied.
      return answers.find((answer) => answer === 'Applied') ?? answers[0];
    }
    const due = new Date(Date.now() + delayMs);
    await this.tasks.add(
      Array.from({ length: copies }, () => newTask({ kind: 'Tell', payload: { news: kind } }, id, due)),
    );
    return undefined;
  }
}
