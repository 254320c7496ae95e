import { type Attempt, HeldLease } from '../../src/event-store/index.js';

/** An attempt that begins now; what became of those before it is not known. */
export function attempt(attempts: number): Attempt {
  return { attempts, lease: new HeldLease('a-lease'), refusals: null };
}
