import type { Operator } from '../auth/index.js';

/** Who acted, as events name it. */
export function actorOf({ name }: Operator): string {
  return `operator:${name}`;
}
