import type { Operator } from '../auth/index.js';

/** The actor in the metadata of events. */
export function actorOf({ name }: Operator): string {
  return `operator:${name}`;
}
