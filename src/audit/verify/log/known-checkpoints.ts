import type { StoredCheckpoint } from '../../checkpoints/checkpoint-store.js';
import { cosignedAt, namesWitness, type WitnessKey } from '../../checkpoints/cosignature.js';
import { isSignedBy, MalformedNote, type NoteVerifier, parseCheckpoint } from '../../checkpoints/note.js';
import type { KnownCheckpoint } from './log-check.js';
import { type Findings, show } from '../report.js';

const PAGE = 500;

/**
 * The checkpoints that a partition is compared with, in order of size: those of the database and those from outside.
 * The note is what is signed; the columns beside it must agree with it.
 */
export class KnownCheckpoints {
  constructor(
    private readonly partition: number,
    private readonly verifiers: readonly NoteVerifier[],
    private readonly findings: Findings,
    private readonly load: (afterSize: bigint, limit: number) => Promise<readonly StoredCheckpoint[]>,
    /** Notes from outside the database. */
    private readonly elsewhere: readonly string[],
    /** Its cosignatures must be valid, where notes have one. */
    private readonly witness: WitnessKey | undefined,
  ) {}

  /** Number of checkpoints from outside the database with a valid signature. */
  outside = 0;

  /** Each once, in order of size. */
  async *all(): AsyncGenerator<KnownCheckpoint, void, undefined> {
    let last: KnownCheckpoint | undefined;
    for await (const checkpoint of this.#merged()) {
      if (last?.size === checkpoint.size && last.root.equals(checkpoint.root)) continue;
      last = checkpoint;
      yield checkpoint;
    }
  }

  async *#merged(): AsyncGenerator<KnownCheckpoint, void, undefined> {
    const outside = this.elsewhere
      .flatMap((note) => this.#signed(note, undefined) ?? [])
      .sort((a, b) => (a.size < b.size ? -1 : 1));
    this.outside = outside.length;
    for await (const stored of this.#stored()) {
      while (outside[0] && outside[0].size <= stored.size) yield outside.shift()!;
      const signed = this.#signed(stored.note, stored.size);
      if (!signed) continue;
      if (signed.size !== stored.size) this.#wrong(stored.size, 'size', signed.size, stored.size);
      else if (!signed.root.equals(stored.root)) this.#wrong(stored.size, 'root', signed.root, stored.root);
      else yield signed;
    }
    yield* outside;
  }

  async *#stored(): AsyncGenerator<StoredCheckpoint, void, undefined> {
    let after = -1n;
    for (;;) {
      const page = await this.load(after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.size;
    }
  }

  #signed(note: string, size: bigint | undefined): KnownCheckpoint | undefined {
    try {
      const checkpoint = parseCheckpoint(note);
      const at = size ?? checkpoint.size;
      this.findings.saw('checkpoint signatures');
      if (this.verifiers.some((verifier) => verifier.name === checkpoint.origin && isSignedBy(note, verifier))) {
        if (this.witness && namesWitness(note, this.witness) && !cosignedAt(note, this.witness)) {
          this.#wrong(at, 'note', `a good cosignature by ${this.witness.name}`, note);
        }
        return checkpoint;
      }
      this.#wrong(at, 'note', `a signature by ${this.verifiers.map(({ name }) => name).join(' or ')}`, note);
    } catch (error) {
      if (!(error instanceof MalformedNote)) throw error;
      this.#wrong(size ?? 0n, 'note', 'a signed checkpoint', error.message);
    }
    return undefined;
  }

  #wrong(size: bigint, field: string, expected: unknown, found: unknown): void {
    this.findings.report({
      check: 'checkpoint signatures',
      partition: this.partition,
      position: size,
      subject: `checkpoint of size ${size}`,
      field,
      expected: show(expected),
      found: show(found),
    });
  }
}
