import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, PrimaryColumn, type Repository } from 'typeorm';

/** How badly the sandbox behaves: for tests of what a real rail may do. One row, the same for all instances. */
@Entity('behaviour', { schema: 'sandbox' })
export class KeptBehaviour {
  @PrimaryColumn('int') readonly id: number;
  /** `drop`: the ledger is told nothing by itself. */
  @Column('text') readonly notifications: 'deliver' | 'drop';
  /** How late notifications come. */
  @Column('int') readonly delayMs: number;
  /** How often each notification is sent. */
  @Column('int') readonly copies: number;
  /** `hold`: refunds stay under way until they are forced. */
  @Column('text') readonly refunds: 'settle' | 'hold';
}

export type Behaviour = Omit<KeptBehaviour, 'id'>;

const THE_ONE = { id: 1 };
const KEPT_MS = 200;

@Injectable()
export class SandboxBehaviour {
  #known: { behaviour: Promise<Behaviour>; until: number } | undefined;

  constructor(@InjectRepository(KeptBehaviour) private readonly behaviours: Repository<KeptBehaviour>) {}

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
    await this.behaviours.save({ ...THE_ONE, ...changes });
    // Other instances may still hold what they have read just before.
    await new Promise((resume) => setTimeout(resume, KEPT_MS));
    this.#known = undefined;
    return this.get();
  }

  async #load(): Promise<Behaviour> {
    const { id: _id, ...behaviour } = await this.behaviours.findOneByOrFail(THE_ONE);
    return behaviour;
  }
}
