import { fromBase64, toBase64 } from '../format/bytes.js';
import { type PathStep, rootFromPath, sameBytes } from './inclusion.js';
import { leafHash, type LeafColumns } from './leaf.js';
import { isSignedBy, parseCheckpoint } from './note.js';

/** The answer of `GET /audit/proofs/inclusion`. */
export interface InclusionProof {
  readonly index: string;
  readonly size: string;
  readonly path: readonly string[];
  readonly note: string;
}

/** The result of each check. */
export interface ProofReport {
  readonly leaf: string;
  /** The root computed by the path; `null` for a path of the wrong length. */
  readonly computed: string | null;
  /** From the leaf up to that root. */
  readonly steps: readonly PathStep[];
  readonly signedRoot: string | null;
  readonly place: boolean;
  readonly included: boolean;
  readonly signed: boolean;
  readonly holds: boolean;
}

/**
 * Proves in this browser that an event, as it is shown, is under a signed checkpoint: the leaf is hashed from the
 * event's own columns, the path must lead to the note's root, and the note must be signed by a key this browser trusts.
 */
export async function checkInclusion(event: LeafColumns, proof: InclusionProof, vkey: string): Promise<ProofReport> {
  const leaf = await leafHash(event);
  const checkpoint = parseCheckpoint(proof.note);
  const index = BigInt(event.position) - 1n;
  const place =
    checkpoint !== null &&
    String(checkpoint.size) === proof.size &&
    String(index) === proof.index &&
    checkpoint.origin.endsWith(`/partition-${event.partition}`);
  const steps: PathStep[] = [];
  const root = checkpoint && (await rootFromPath(leaf, index, checkpoint.size, proof.path.map(fromBase64), steps));
  const included = root !== null && checkpoint !== null && sameBytes(root, checkpoint.root);
  const signed = await isSignedBy(proof.note, vkey);
  return {
    leaf: toBase64(leaf),
    computed: root && toBase64(root),
    steps,
    signedRoot: checkpoint && toBase64(checkpoint.root),
    place,
    included,
    signed,
    holds: place && included && signed,
  };
}
