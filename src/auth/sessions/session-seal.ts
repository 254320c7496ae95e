import { createHmac } from 'node:crypto';
import type { Queryable } from '../../platform/database/index.js';
import type { ConsoleSession } from './console-session.js';

type SealedSession = Pick<ConsoleSession, 'id' | 'role' | 'subject' | 'fingerprint' | 'expiresAt'>;

/** Sessions that are tried: one whose row was changed is no proof against the pepper. */
const TRIED = 20;

/** Over all fields of a session: a row that was added or changed in the table authenticates nobody. */
export function sessionSealOf(pepper: Buffer, { id, role, subject, fingerprint, expiresAt }: SealedSession): Buffer {
  const fields = [id.toString('hex'), role, subject, fingerprint.toString('hex'), expiresAt.toISOString()];
  return createHmac('sha256', pepper)
    .update(`console-session|${JSON.stringify(fields)}`)
    .digest();
}

/**
 * Whether `KEY_PEPPER` sealed a stored session. Without sessions, whether there are no access keys either: the hash of
 * one depends on the pepper, but without its secret cannot be compared.
 */
export async function provesKeyPepper(database: Queryable, pepper: Buffer): Promise<boolean> {
  const sessions = await database.query<SealedSession & { readonly seal: Buffer }>({
    text: `
      select id, role, subject, fingerprint, expires_at as "expiresAt", seal from console_session
      where seal is not null limit ${TRIED}`,
    values: [],
  });
  if (sessions.length > 0) return sessions.some((session) => sessionSealOf(pepper, session).equals(session.seal));
  return (await database.query({ text: 'select id from access_key limit 1', values: [] })).length === 0;
}
