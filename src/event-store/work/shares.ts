/** Whom an item of work is for: the owner whose slots it holds, and which of the owner's targets. */
export interface WorkShare {
  readonly owner: string;
  readonly target: string;
}

/** Free slots: how many items may begin now. Owners that are not named have `others`. */
export interface Room {
  readonly owners: ReadonlyMap<string, number>;
  readonly others: number;
  /** Over all owners: more candidates are of no use. */
  readonly limit: number;
}

/** Who begins next, where work of several owners is due: `Shares` of many slots, or `Turns` at one. */
export interface Slots {
  room(): Room;
  /** Which candidates to begin, in order. */
  pick<Item extends { readonly share?: WorkShare }>(candidates: readonly Item[]): Item[];
  begin(share?: WorkShare): void;
  /** @returns whether any owner was at its limit: it may begin more now */
  end(share?: WorkShare): boolean;
}

/** Free slots of a source without owners. */
export function roomWithoutOwners({ owners, others }: Room): number {
  return owners.get(NO_OWNER.owner) ?? others;
}

/** Slots that every owner has, whatever the others hold. */
const GUARANTEED_SLOTS = 8;
const NO_OWNER: WorkShare = { owner: '', target: '' };

interface Holding {
  held: number;
  readonly targets: Map<string, number>;
}

/**
 * Shares the slots of one worker among owners, and each owner's slots among its targets. A slot cannot be taken back
 * before its work ends, so round robin alone is not fair to others where an owner's work is slow: some slots must stay
 * free for the next owner. An owner may hold as many as are free (dynamic thresholds, Choudhury and Hahne, 1998): a
 * single owner gets `alone` of twice as many; `n` busy owners get an equal part each and leave one such part free. An
 * owner below its guaranteed slots can always begin. Free slots go to the owner that holds least.
 */
export class Shares implements Slots {
  readonly #owners = new Map<string, Holding>();
  readonly #guaranteed: number;
  #held = 0;

  /** @param alone slots of one owner while no other has work. Work without an owner counts as one owner's. */
  constructor(private readonly alone: number) {
    this.#guaranteed = Math.min(GUARANTEED_SLOTS, alone);
  }

  room(): Room {
    return {
      owners: new Map([...this.#owners].map(([owner, { held }]) => [owner, this.#roomBeside(held)])),
      others: Math.max(this.#guaranteed, Math.ceil(this.#free / 2)),
      limit: Math.max(this.#guaranteed, this.#free),
    };
  }

  /** Which candidates to begin, in order: owners that hold least first, then by the order of the list. */
  pick<Item extends { readonly share?: WorkShare }>(candidates: readonly Item[]): Item[] {
    const byOwner = Map.groupBy(candidates, ({ share = NO_OWNER }) => share.owner);
    const fairWithin = [...byOwner].flatMap(([owner, items]) =>
      roundRobin(
        items,
        ({ share = NO_OWNER }) => share.target,
        (target) => this.#owners.get(owner)?.targets.get(target) ?? 0,
      ),
    );
    const heldBy = (owner: string) => this.#owners.get(owner)?.held ?? 0;
    const ordered = roundRobin(fairWithin, ({ share = NO_OWNER }) => share.owner, heldBy);
    const picked: Item[] = [];
    const begun = new Map<string, number>();
    for (const item of ordered) {
      const { owner } = item.share ?? NO_OWNER;
      const now = begun.get(owner) ?? 0;
      if (heldBy(owner) + now >= Math.max(this.#guaranteed, this.#free - picked.length)) continue;
      begun.set(owner, now + 1);
      picked.push(item);
    }
    return picked;
  }

  begin({ owner, target }: WorkShare = NO_OWNER): void {
    let holding = this.#owners.get(owner);
    if (!holding) this.#owners.set(owner, (holding = { held: 0, targets: new Map() }));
    holding.held += 1;
    holding.targets.set(target, (holding.targets.get(target) ?? 0) + 1);
    this.#held += 1;
  }

  /** @returns whether any owner was at its limit: it may begin more now */
  end({ owner, target }: WorkShare = NO_OWNER): boolean {
    const limit = Math.max(this.#guaranteed, this.#free);
    const wasFull = [...this.#owners.values()].some(({ held }) => held >= limit);
    const holding = this.#owners.get(owner)!;
    const left = holding.targets.get(target)! - 1;
    if (left > 0) holding.targets.set(target, left);
    else holding.targets.delete(target);
    holding.held -= 1;
    if (holding.held === 0) this.#owners.delete(owner);
    this.#held -= 1;
    return wasFull;
  }

  /** Items of one owner that may begin now if no other's do. Each one lowers the limit by one. */
  #roomBeside(held: number): number {
    return Math.max(this.#guaranteed - held, Math.ceil((this.#free - held) / 2), 0);
  }

  get #free(): number {
    return 2 * this.alone - this.#held;
  }
}

/** One item of each key in turn, from the key that holds least; within a key the order stays. */
function roundRobin<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  heldBy: (key: string) => number,
): Item[] {
  const next = new Map<string, number>();
  const ranked = items.map((item) => {
    const key = keyOf(item);
    const rank = next.get(key) ?? heldBy(key);
    next.set(key, rank + 1);
    return { item, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
