import { Inject, Injectable } from '@nestjs/common';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rail-notifications.js';
import { SandboxBehaviour } from './behaviour.js';
import { type NotificationKind, newTask, Tasks } from './tasks.js';

/** Notifies the service of what happened, as badly as the sandbox is told to behave. */
@Injectable()
export class SandboxNotifier {
  constructor(
    @Inject(RAIL_NOTIFICATIONS) readonly inbox: RailNotifications,
    private readonly behaviour: SandboxBehaviour,
    private readonly tasks: Tasks,
  ) {}

  /**
   * Notifies now, as often as it is to be repeated, the repetitions at once with the first; or plans it for later.
   * @param notify must give every time the same answer, or one that is worth more the first time
   * @returns the ledger's answer; `undefined` when it is not told, or not yet
   */
  async notify<T>(
    news: NotificationKind,
    id: string,
    notify: (inbox: RailNotifications) => Promise<T>,
  ): Promise<T | undefined> {
    const { notifications, delayMs, copies } = await this.behaviour.get();
    if (notifications === 'drop') return undefined;
    if (delayMs === 0) {
      const answers = await Promise.all(Array.from({ length: copies }, () => notify(this.inbox)));
      // Copies race: the one that came first was applied, whichever it was.
      return answers.find((answer) => answer === 'Applied') ?? answers[0];
    }
    const due = new Date(Date.now() + delayMs);
    await this.tasks.add(Array.from({ length: copies }, () => newTask({ kind: 'Tell', payload: { news } }, id, due)));
    return undefined;
  }
}
