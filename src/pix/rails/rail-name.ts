import type { SentOver } from '../domain/events/shared.js';
import type { PixRail } from './pix-rail.js';

/** How events name a rail, for ever. */

/** The actor of what the rail reports, as events have it. */
export function railActor({ name }: Pick<PixRail, 'name'>): string {
  return `rail:${name}`;
}

/** The rail as events name it that begin to send money over it. */
export function sentOver({ name, psp }: Pick<PixRail, 'name' | 'psp'>): SentOver {
  return { rail: name, ...(psp !== undefined && { psp }) };
}

/** Whether it is this rail, at this PSP: another one knows nothing of it. Earlier events do not name the PSP. */
export function isSentOver({ name, psp }: Pick<PixRail, 'name' | 'psp'>, sent: SentOver): boolean {
  return sent.rail === name && (sent.psp === undefined || sent.psp === psp);
}
