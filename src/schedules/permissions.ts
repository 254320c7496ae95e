import type { Principal } from '../auth/index.js';
import { Forbidden } from '../platform/errors/index.js';
import type { Schedule } from './domain/schedule.js';

const PERMISSIONS = { Transfer: 'transfers:write', CashOut: 'pix:cashout' } as const;

/** Whoever may make something may schedule and cancel it. @throws Forbidden */
export function assertMay({ permissions }: Principal, kind: Schedule['kind']): void {
  if (!permissions.includes(PERMISSIONS[kind])) throw new Forbidden();
}
