import type { Room, Slots, WorkShare } from './shares.js';

/** Owners that had a turn and are remembered. One that is forgotten counts as one that had none. */
const REMEMBERED = 10_000;

/**
 * One item at a time, owners in turns: the next is of the owner whose last turn is the longest ago, first of all of one
 * that had none. How many items an owner has makes no difference. Work without an owner counts as one owner's.
 */
export class Turns implements Slots {
  #isHeld = false;
  /** Owners that had a turn, the last one at the end. */
  readonly #had = new Set<string>();

  room(): Room {
    const free = this.#isHeld ? 0 : 1;
    return { owners: new Map(), others: free, limit: free };
  }

  pick<Item extends { readonly share?: WorkShare }>(candidates: readonly Item[]): Item[] {
    if (this.#isHeld) return [];
    const owners = Map.groupBy(candidates, ownerOf);
    const hadNone = candidates.find((item) => !this.#had.has(ownerOf(item)));
    const longestAgo = [...this.#had].find((owner) => owners.has(owner));
    const next = hadNone ?? owners.get(longestAgo!)?.[0];
    return next ? [next] : [];
  }

  begin(share?: WorkShare): void {
    this.#isHeld = true;
    const owner = ownerOf({ share });
    this.#had.delete(owner);
    this.#had.add(owner);
    if (this.#had.size > REMEMBERED) this.#had.delete(this.#had.values().next().value!);
  }

  end(): boolean {
    this.#isHeld = false;
    return true;
  }
}

function ownerOf({ share }: { readonly share?: WorkShare | undefined }): string {
  return share?.owner ?? '';
}
