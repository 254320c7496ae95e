import type { EventType, RecordedEvent, Stored } from '../../event-store/index.js';

/** What the partner of an account is told of an event, at the address registered for that account. */
export interface Notification {
  /** What happened: `hold.placed`. It is never given another meaning. */
  readonly type: string;
  /** In the partition of the event. */
  readonly accountUid: string;
  /** What it is about. Notifications of one subject are sent in order. */
  readonly subjectId: string;
  /** Sent as it is: nothing personal, nothing secret. */
  readonly data: object;
}

type Describe = (event: RecordedEvent) => Notification | undefined;

const descriptions = new Map<string, Describe>();

/**
 * Registers of which events of a type the partner is told. A module calls it beside the class of what is told, in a
 * file that its `index.ts` exports. It is a pure function of the event, and is there from the first event of the type
 * on: `verify` expects a delivery of every event that it describes, where the account had an address then.
 */
export function describeNotification<T extends string, D>(
  type: EventType<T, D>,
  describe: (event: RecordedEvent<T, Stored<D>>) => Notification | undefined,
): void {
  if (descriptions.has(type.type)) throw new TypeError(`the notification of ${type.type} is described twice`);
  descriptions.set(type.type, describe as Describe);
}

export function notificationOf(event: RecordedEvent): Notification | undefined {
  return descriptions.get(event.type)?.(event);
}

/** Types of events that are told of. */
export function notifyingTypes(): readonly string[] {
  return [...descriptions.keys()];
}
