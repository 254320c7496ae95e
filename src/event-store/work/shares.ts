/** Whom an item of work is for: the owner whose slots it holds, and which of the owner's targets. */
export interface WorkShare {
  readonly owner: string;
  readonly target: string;
}

/** Items that may begin now; owners that are not named have `others`. */
export interface Room {
  readonly owners: ReadonlyMap<string, number>;
  readonly others: number;
  /** Over all owners: a longer list of candidates is of no use. */
  readonly limit: number;
}

/** Items of a source without owners that may begin now. */
export function roomOfNobody({ owners, others }: Room): number {
  return owners.get(NOBODY.owner) ?? others;
}

/** What an owner always has, whatever the others hold. */
const OWN_SLOTS = 8;
const NOBODY: WorkShare = { owner: '', target: '' };

interface Holding {
  held: number;
  readonly targets: Map<string, number>;
}

/**
 * Shares the slots of one worker among owners, and each owner's among its targets. A slot cannot be taken back before
 * its work ends, so turns alone protect nobody from who holds slots for long: some must stay free for who comes next.
 * An owner may hold as many as are free (dynamic thresholds, Choudhury and Hahne, 1998): one alone gets `alone` of
 * twice as many, `n` that want all get an equal part each and leave one such part free. Whoever holds less than its own
 * few slots is always let in. What is free goes to who holds least.
 */
export class Shares {
  readonly #owners = new Map<string, Holding>();
  readonly #own: number;
  #held = 0;

  /** @param alone slots of one owner while no other has work. Work that names no owner has one all the same. */
  constructor(private readonly alone: number) {
    this.#own = Math.min(OWN_SLOTS, alone);
  }

  get held(): number {
    return this.#held;
  }

  /** Items of one owner that may begin now if no other's do. Each makes its limit less by one. */
  roomOf(owner = NOBODY.owner): number {
    const held = this.#owners.get(owner)?.held ?? 0;
    return Math.max(this.#own - held, Math.ceil((this.#free - held) / 2), 0);
  }

  room(): Room {
    return {
      owners: new Map([...this.#owners.keys()].map((owner) => [owner, this.roomOf(owner)])),
      others: Math.max(this.#own, Math.ceil(this.#free / 2)),
      limit: Math.max(this.#own, this.#free),
    };
  }

  /** Which of the candidates to begin, in which order: who holds least comes first, among equals who stands first. */
  pick<Item extends { readonly share?: WorkShare }>(candidates: readonly Item[]): Item[] {
    const byOwner = Map.groupBy(candidates, ({ share = NOBODY }) => share.owner);
    const fairWithin = [...byOwner].flatMap(([owner, items]) =>
      inTurn(
        items,
        ({ share = NOBODY }) => share.target,
        (target) => this.#owners.get(owner)?.targets.get(target) ?? 0,
      ),
    );
    const heldBy = (owner: string) => this.#owners.get(owner)?.held ?? 0;
    const turns = inTurn(fairWithin, ({ share = NOBODY }) => share.owner, heldBy);
    const picked: Item[] = [];
    const begun = new Map<string, number>();
    for (const item of turns) {
      const { owner } = item.share ?? NOBODY;
      const now = begun.get(owner) ?? 0;
      if (heldBy(owner) + now >= Math.max(this.#own, this.#free - picked.length)) continue;
      begun.set(owner, now + 1);
      picked.push(item);
    }
    return picked;
  }

  begin({ owner, target }: WorkShare = NOBODY): void {
    let holding = this.#owners.get(owner);
    if (!holding) this.#owners.set(owner, (holding = { held: 0, targets: new Map() }));
    holding.held += 1;
    holding.targets.set(target, (holding.targets.get(target) ?? 0) + 1);
    this.#held += 1;
  }

  /** @returns whether somebody held as much as it might: there may be more to do now */
  end({ owner, target }: WorkShare = NOBODY): boolean {
    const limit = Math.max(this.#own, this.#free);
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

  get #free(): number {
    return 2 * this.alone - this.#held;
  }
}

/** One of each key in turn, beginning with the key that holds least; within a key the order stays. */
function inTurn<Item>(items: readonly Item[], keyOf: (item: Item) => string, heldBy: (key: string) => number): Item[] {
  const next = new Map<string, number>();
  const ranked = items.map((item) => {
    const key = keyOf(item);
    const rank = next.get(key) ?? heldBy(key);
    next.set(key, rank + 1);
    return { item, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
