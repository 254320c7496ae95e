import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Behaviour } from './sandbox.answer.js';

const KEPT_MS = 200;

/** Kept in the database, the same for all instances. */
@Injectable()
export class SandboxBehaviour {
  #known: { behaviour: Promise<Behaviour>; until: number } | undefined;

  constructor(private readonly database: Database) {}

  /** As it stood at most 200 ms ago. */
  get(): Promise<Behaviour> {
    const now = performance.now();
    if (!this.#known || this.#known.until <= now) {
      this.#known = { behaviour: this.#load(), until: now + KEPT_MS };
      this.#known.behaviour.catch(() => (this.#known = undefined));
    }
    return this.#known.behaviour;
  }

  /** Changes the named parts. When it returns, every instance behaves so. */
  async change(changes: Partial<Behaviour>): Promise<Behaviour> {
    await this.database.query({
      name: 'sandbox-behaviour-change',
      text: `
        update sandbox.behaviour set notifications = coalesce($1, notifications), delay_ms = coalesce($2, delay_ms),
          copies = coalesce($3, copies), refunds = coalesce($4, refunds)
        where id = 1`,
      values: [changes.notifications ?? null, changes.delayMs ?? null, changes.copies ?? null, changes.refunds ?? null],
    });
    // Other instances may still hold what they have read just before.
    await new Promise((resume) => setTimeout(resume, KEPT_MS));
    this.#known = undefined;
    return this.get();
  }

  async #load(): Promise<Behaviour> {
    const [row] = await this.database.query({
      name: 'sandbox-behaviour',
      text: 'select notifications, delay_ms, copies, refunds from sandbox.behaviour where id = 1',
    });
    return {
      notifications: row!.notifications as Behaviour['notifications'],
      delayMs: row!.delay_ms as number,
      copies: row!.copies as number,
      refunds: row!.refunds as Behaviour['refunds'],
    };
  }
}
