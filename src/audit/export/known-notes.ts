import { rootOf, type TreeState } from '../../event-store/index.js';
import { type Checkpoint, isSignedBy, type NoteVerifier, parseCheckpoint } from '../checkpoints/note.js';

/**
 * Checkpoints that a verifier had from elsewhere, an earlier export or a witness: a file must not be of an earlier state
 * than they are, nor have another history up to where they go.
 */
export class KnownNotes {
  readonly #known: readonly Checkpoint[];
  readonly #heldAgainst = new Set<Checkpoint>();

  /** @throws MalformedNote; NotSigned for one that none of the keys has signed */
  constructor(notes: readonly string[], keys: readonly NoteVerifier[]) {
    this.#known = notes.map((note) => {
      const checkpoint = parseCheckpoint(note);
      const isGood = keys.some((key) => key.name === checkpoint.origin && isSignedBy(note, key));
      if (!isGood) throw new NotSigned(checkpoint);
      return checkpoint;
    });
  }

  /** What is wrong with a log as its own checkpoint says it, before its events are seen. */
  problemsOf({ origin, size, root }: Checkpoint, complete: boolean): string[] {
    return this.#of(origin).flatMap((known) => {
      if (known.size > size) {
        this.#heldAgainst.add(known);
        return [`${origin}: a state of ${size} events, where ${known.size} were signed already (rollback)`];
      }
      if (known.size === size) {
        this.#heldAgainst.add(known);
        return known.root.equals(root) ? [] : [`${origin}: another root of ${size} events than is known (split view)`];
      }
      if (complete) return [];
      this.#heldAgainst.add(known);
      return [
        `${origin}: it is not complete, so that it cannot be held against the checkpoint of ${known.size} events`,
      ];
    });
  }

  /** What is wrong with a complete log as far as its events were seen. */
  problemsAt(origin: string, tree: TreeState): string[] {
    return this.#of(origin).flatMap((known) => {
      if (known.size !== tree.size || this.#heldAgainst.has(known)) return [];
      this.#heldAgainst.add(known);
      return known.root.equals(rootOf(tree))
        ? []
        : [`${origin}: the first ${tree.size} events are not those that are known (split view)`];
    });
  }

  /** What no log of the file was held against. */
  unused(): string[] {
    return this.#known
      .filter((known) => !this.#heldAgainst.has(known) && known.size > 0n)
      .map(({ origin, size }) => `${origin}: nothing was held against the checkpoint of ${size} events`);
  }

  #of(origin: string): readonly Checkpoint[] {
    return this.#known.filter((known) => known.origin === origin);
  }
}

/** A checkpoint that is given has no good signature by a key that is. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';

  constructor({ origin, size }: Checkpoint) {
    super(`The checkpoint of ${origin}, ${size} events, has no good signature by a key that is given (--vkey).`);
  }
}
