import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { In, LessThan, type Repository } from 'typeorm';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Coalesced } from '../../platform/database/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import { Operators } from '../operators.js';
import { ConsoleSession, type SessionRole } from './console-session.js';
import { assertFromConsole } from './same-origin.js';
import { sessionSealOf } from './session-seal.js';
import { readSessionCookie, writeSessionCookie } from './session-cookie.js';

/** A console session. */
export interface Session {
  readonly role: SessionRole;
  /** Name of the operator, id of the auditor. */
  readonly subject: string;
  /** Maximum lifetime. */
  readonly expiresAt: Date;
  /** End of the idle time: use extends it. */
  readonly idleUntil: Date;
}

type Asked = Pick<FastifyRequest, 'method' | 'headers'>;

/** Precision of the idle time: a session in use writes no more often. */
const SEEN_EVERY_MS = 15_000;

/**
 * Console sessions: a random token in a cookie, its keyed hash in a table. With a table a sign-out, a changed operator
 * token and the expiry take effect on every instance at once; it costs one keyed read a request, at human rates.
 */
@Injectable()
export class Sessions {
  readonly #idleMs: number;
  readonly #longestMs: number;
  /** Anybody can make cookies up: one connection looks for all that come meanwhile. */
  readonly #lookUps = new Coalesced((ids: readonly Buffer[]) => this.#allOf(ids));

  constructor(
    @InjectRepository(ConsoleSession) private readonly sessions: Repository<ConsoleSession>,
    private readonly operators: Operators,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.#idleMs = config.console.idleSeconds * 1000;
    this.#longestMs = config.console.sessionSeconds * 1000;
  }

  /**
   * @param fingerprint of the credential; empty where its validity is checked otherwise
   * @returns the session, and the `Set-Cookie` that carries it
   */
  async open(role: SessionRole, subject: string, fingerprint: Buffer): Promise<{ session: Session; cookie: string }> {
    const now = new Date();
    const token = randomBytes(32).toString('base64url');
    const id = this.#idOf(token);
    const expiresAt = new Date(now.getTime() + this.#longestMs);
    await this.sessions.delete({ expiresAt: LessThan(now) });
    const seal = sessionSealOf(this.config.secrets.keyPepper, { id, role, subject, fingerprint, expiresAt });
    await this.sessions.insert({ id, role, subject, fingerprint, seenAt: now, expiresAt, seal });
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

  /** Ends the session of a request's cookie, on every instance. @returns the `Set-Cookie` that deletes it */
  async end(request: Asked): Promise<string> {
    const token = readSessionCookie(request.headers.cookie, this.config);
    const id = token !== undefined && this.#idOf(token);
    if (id && (await this.#lookUps.run(id))) await this.sessions.delete({ id });
    return writeSessionCookie('', 0, this.config);
  }

  async #find(token: string, now: Date): Promise<Session | undefined> {
    const id = this.#idOf(token);
    const kept = await this.#lookUps.run(id);
    if (!kept) return undefined;
    const { role, subject, fingerprint, expiresAt, seenAt } = kept;
    if (this.#idleUntil(seenAt, expiresAt) <= now) return undefined;
    if (!kept.seal?.equals(sessionSealOf(this.config.secrets.keyPepper, kept))) return undefined;
    if (role === 'operator' && !this.operators.isCurrent(subject, fingerprint)) return undefined;
    if (now.getTime() - seenAt.getTime() >= Math.min(SEEN_EVERY_MS, this.#idleMs / 4)) {
      await this.sessions.update({ id, seenAt: LessThan(now) }, { seenAt: now });
    }
    return { role, subject, expiresAt, idleUntil: this.#idleUntil(now, expiresAt) };
  }

  async #allOf(ids: readonly Buffer[]): Promise<(ConsoleSession | undefined)[]> {
    const found = await this.sessions.findBy({ id: In(ids) });
    const byId = new Map(found.map((session) => [session.id.toString('hex'), session]));
    return ids.map((id) => byId.get(id.toString('hex')));
  }

  #idleUntil(seenAt: Date, expiresAt: Date): Date {
    return new Date(Math.min(seenAt.getTime() + this.#idleMs, expiresAt.getTime()));
  }

  /** What is stored of a token: 256 random bits need no slow hash. */
  #idOf(token: string): Buffer {
    return createHmac('sha256', this.config.secrets.keyPepper).update(`console|${token}`).digest();
  }
}
