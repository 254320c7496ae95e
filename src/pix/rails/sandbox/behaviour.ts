import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Entity, PrimaryColumn, type Repository } from 'typeorm';
import { Behaviour } from './sandbox.answer.js';

/** One row, the same for all instances. */
@Entity('behaviour', { schema: 'sandbox' })
export class KeptBehaviour extends Behaviour {
  @PrimaryColumn('int') readonly id: number;
}

const THE_ONE = { id: 1 };
const KEPT_MS = 200;

@Injectable()
export class SandboxBehaviour {
  #known: { behaviour: Promise<Behaviour>; until: number } | undefined;

  constructor(@InjectRepository(KeptBehaviour) private readonly behaviours: Repository<KeptBehaviour>) {}

  /** At most 200 ms old. */
  get(): Promise<Behaviour> {
    const now = performance.now();
    if (!this.#known || this.#known.until <= now) {
      this.#known = { behaviour: this.#load(), until: now + KEPT_MS };
      this.#known.behaviour.catch(() => (this.#known = undefined));
    }
    return this.#known.behaviour;
  }

  /** Changes the named parts; `null` names none. When it returns, every process behaves so. */
  async change(changes: Partial<Behaviour>): Promise<Behaviour> {
    const named = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
    await this.behaviours.save({ ...THE_ONE, ...Object.fromEntries(named) });
    // Other processes may still have the old behaviour cached.
    await new Promise((resume) => setTimeout(resume, KEPT_MS));
    this.#known = undefined;
    return this.get();
  }

  async #load(): Promise<Behaviour> {
    const { id: _id, ...behaviour } = await this.behaviours.findOneByOrFail(THE_ONE);
    return behaviour;
  }
}
