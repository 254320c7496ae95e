import { rootOf, type TreeState } from '../../event-store/index.js';
import { type Checkpoint, isSignedBy, type NoteVerifier, parseCheckpoint } from '../checkpoints/note.js';

/**
 * Checkpoints that a verifier has from other sources, such as an earlier export or a witness: an export must not be
 * older than they are (rollback), and must be consistent with them (split view).
 */
export class KnownNotes {
  readonly #known: readonly Checkpoint[];
  readonly #compared = new Set<Checkpoint>();

  /** @throws MalformedNote; NotSigned for one that none of the keys has signed */
  constructor(notes: readonly string[], keys: readonly NoteVerifier[]) {
    this.#known = notes.map((note) => {
      const checkpoint = parseCheckpoint(note);
      const isGood = keys.some((key) => key.name === checkpoint.origin && isSignedBy(note, key));
      if (!isGood) throw new NotSigned(checkpoint);
      return checkpoint;
    });
  }

  /** Problems of a log by its own checkpoint, before its events are read. */
  problemsOf({ origin, size, root }: Checkpoint, complete: boolean): string[] {
    return this.#of(origin).flatMap((known) => {
      if (known.size > size) {
        this.#compared.add(known);
        return [`${origin}: a state of ${size} events, where ${known.size} were signed already (rollback)`];
      }
      if (known.size === size) {
        this.#compared.add(known);
        return known.root.equals(root) ? [] : [`${origin}: another root of ${size} events than is known (split view)`];
      }
      if (complete) return [];
      this.#compared.add(known);
      return [
        `${origin}: it is not complete, so that it cannot be held against the checkpoint of ${known.size} events`,
      ];
    });
  }

  /** Problems of a complete log, up to the events read so far. */
  problemsAt(origin: string, tree: TreeState): string[] {
    return this.#of(origin).flatMap((known) => {
      if (known.size !== tree.size || this.#compared.has(known)) return [];
      this.#compared.add(known);
      return known.root.equals(rootOf(tree))
        ? []
        : [`${origin}: the first ${tree.size} events are not those that are known (split view)`];
    });
  }

  /** Checkpoints that no log of the file was compared with. */
  unused(): string[] {
    return this.#known
      .filter((known) => !this.#compared.has(known) && known.size > 0n)
      .map(({ origin, size }) => `${origin}: nothing was held against the checkpoint of ${size} events`);
  }

  #of(origin: string): readonly Checkpoint[] {
    return this.#known.filter((known) => known.origin === origin);
  }
}

/** A given checkpoint has no valid signature by a given key. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';

  constructor({ origin, size }: Checkpoint) {
    super(`The checkpoint of ${origin}, ${size} events, has no good signature by a key that is given (--vkey).`);
  }
}
