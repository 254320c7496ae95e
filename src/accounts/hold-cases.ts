import { Injectable } from '@nestjs/common';

/** Finds the case that decides about a hold. */
export type HoldCaseSource = (partition: number, holdId: string) => Promise<string | undefined>;

/**
 * Cases that have not ended, and that alone decide about their holds. The MED module registers its source; without it
 * there are none.
 */
@Injectable()
export class HoldCases {
  #source: HoldCaseSource = async () => undefined;

  register(source: HoldCaseSource): void {
    this.#source = source;
  }

  /** A case begins with its hold and ends once: read before a commit, none stays none. */
  of(partition: number, holdId: string): Promise<string | undefined> {
    return this.#source(partition, holdId);
  }
}
