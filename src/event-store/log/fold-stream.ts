import type { RecordedEvent } from './event.js';

/**
 * What the events of its own stream make of something, and no row.
 * @param what and its `id`, for the message
 * @throws where they are not those of this one, from its first event on
 */
export function foldStream<State>(
  { what, id }: { readonly what: string; readonly id: string },
  events: readonly RecordedEvent[],
  evolve: (state: State | undefined, event: RecordedEvent) => State,
): State {
  let state: State | undefined;
  for (const [i, event] of events.entries()) {
    const { uid, id: own = uid } = event.data as { uid?: unknown; id?: unknown };
    if (event.version !== i + 1 || own !== id) {
      throw new Error(`event ${event.position} of partition ${event.partition} is none of the ${what} ${id}`);
    }
    state = evolve(state, event);
  }
  if (state === undefined) throw new Error(`the log has no ${what} ${id}`);
  return state;
}
