import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import { Operators } from '../operators.js';
import { assertFromConsole } from './same-origin.js';
import { readSessionCookie, writeSessionCookie } from './session-cookie.js';

export type SessionRole = 'operator' | 'auditor';

/** Somebody signed in at the console. */
export interface Session {
  readonly role: SessionRole;
  /** Name of the operator, id of the auditor. */
  readonly subject: string;
  /** It ends then, whatever happens. */
  readonly expiresAt: Date;
  /** It ends then, unless it is used before. */
  readonly idleUntil: Date;
}

interface Row {
  readonly role: SessionRole;
  readonly subject: string;
  readonly fingerprint: Buffer;
  readonly expires_at: Date;
  readonly seen_at: Date;
  readonly seal: Buffer | null;
}

type Asked = Pick<FastifyRequest, 'method' | 'headers'>;

/** How exact the idle time is: a session that is in use writes no more often. */
const SEEN_EVERY_MS = 15_000;

/**
 * Sessions of the console: a random token in a cookie, its keyed hash in a table. A table, so that signing out, a
 * changed operator token and the end of time count at once and on every instance; one keyed read a request is little
 * beside what a person asks for.
 */
@Injectable()
export class Sessions {
  readonly #idleMs: number;
  readonly #longestMs: number;

  constructor(
    private readonly database: Database,
    private readonly operators: Operators,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.#idleMs = config.console.idleSeconds * 1000;
    this.#longestMs = config.console.sessionSeconds * 1000;
  }

  /**
   * @param fingerprint of the credential that was shown; empty where something else tells that it is still good
   * @returns the session, and the `Set-Cookie` that carries it
   */
  async open(role: SessionRole, subject: string, fingerprint: Buffer): Promise<{ session: Session; cookie: string }> {
    const now = new Date();
    const token = randomBytes(32).toString('base64url');
    const id = this.#idOf(token);
    const expiresAt = new Date(now.getTime() + this.#longestMs);
    await this.database.query({
      name: 'console-session-open',
      text: `
        with swept as (delete from console_session where expires_at < $5)
        insert into console_session (id, role, subject, fingerprint, seen_at, expires_at, seal)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      values: [id, role, subject, fingerprint, now, expiresAt, this.#sealOf(id, role, subject, fingerprint, expiresAt)],
    });
    const session = { role, subject, expiresAt, idleUntil: this.#idleUntil(now, expiresAt) };
    return { session, cookie: writeSessionCookie(token, this.config.console.sessionSeconds, this.config) };
  }

  /**
   * The session that a request's cookie names. A request with an `Authorization` header, or without a cookie, has none.
   * @throws AuthenticationError for a session that has ended. @throws Forbidden for a request from another site
   */
  async of(request: Asked): Promise<Session | undefined> {
    if (!this.config.console.enabled || request.headers.authorization !== undefined) return undefined;
    const token = readSessionCookie(request.headers.cookie, this.config);
    if (token === undefined) return undefined;
    assertFromConsole(request, this.config.publicUrl);
    const session = await this.#find(token, new Date());
    if (!session) throw new AuthenticationError('The session has ended. Sign in again.');
    return session;
  }

  /** Ends the session of a request's cookie, for every instance. @returns the `Set-Cookie` that takes it away */
  async end(request: Asked): Promise<string> {
    const token = readSessionCookie(request.headers.cookie, this.config);
    if (token !== undefined) {
      await this.database.query({
        name: 'console-session-end',
        text: 'delete from console_session where id = $1',
        values: [this.#idOf(token)],
      });
    }
    return writeSessionCookie('', 0, this.config);
  }

  async #find(token: string, now: Date): Promise<Session | undefined> {
    const id = this.#idOf(token);
    const [row] = await this.database.query<Row>({
      name: 'console-session-find',
      text: 'select role, subject, fingerprint, expires_at, seen_at, seal from console_session where id = $1',
      values: [id],
    });
    if (!row || this.#idleUntil(row.seen_at, row.expires_at) <= now) return undefined;
    const seal = this.#sealOf(id, row.role, row.subject, row.fingerprint, row.expires_at);
    if (!row.seal?.equals(seal)) return undefined;
    if (row.role === 'operator' && !this.operators.isCurrent(row.subject, row.fingerprint)) return undefined;
    if (now.getTime() - row.seen_at.getTime() >= Math.min(SEEN_EVERY_MS, this.#idleMs / 4)) {
      await this.database.query({
        name: 'console-session-seen',
        text: 'update console_session set seen_at = $2 where id = $1 and seen_at < $2',
        values: [id, now],
      });
    }
    const { role, subject, expires_at: expiresAt } = row;
    return { role, subject, expiresAt, idleUntil: this.#idleUntil(now, expiresAt) };
  }

  #idleUntil(seenAt: Date, expiresAt: Date): Date {
    return new Date(Math.min(seenAt.getTime() + this.#idleMs, expiresAt.getTime()));
  }

  /** What is stored of a token: 256 random bits need no slow hash. */
  #idOf(token: string): Buffer {
    return createHmac('sha256', this.config.secrets.keyPepper).update(`console|${token}`).digest();
  }

  /** Over all that a session is worth: a row that somebody made or changed in the table opens nothing. */
  #sealOf(id: Buffer, role: string, subject: string, fingerprint: Buffer, expiresAt: Date): Buffer {
    const fields = [id.toString('hex'), role, subject, fingerprint.toString('hex'), expiresAt.toISOString()];
    return createHmac('sha256', this.config.secrets.keyPepper)
      .update(`console-session|${JSON.stringify(fields)}`)
      .digest();
  }
}
