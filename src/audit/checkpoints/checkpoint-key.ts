import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG, ConfigurationError } from '../../platform/config/index.js';
import { parseWitnessKey, type WitnessKey } from './cosignature.js';
import {
  type Checkpoint,
  checkpointIn,
  encodeVerifier,
  isSignedBy,
  MalformedNote,
  type NoteVerifier,
  parseVerifier,
  signaturesOf,
  signCheckpoint,
  verifierOf,
} from './note.js';

/** Signs checkpoints of the partitions' logs, and gives the keys that verify them. */
@Injectable()
export class CheckpointKey {
  readonly #key: KeyObject;
  readonly #ispb: string;
  readonly #retired: readonly NoteVerifier[];
  /** The configured witness's. */
  readonly witness: WitnessKey | undefined;

  /** @throws ConfigurationError for a key of another kind */
  constructor(@Inject(CONFIG) { secrets, institution, checkpoints }: Config) {
    this.#key = secrets.checkpointSigningKey;
    this.#ispb = institution.ispb;
    if (this.#key.asymmetricKeyType !== 'ed25519') {
      throw new ConfigurationError(['CHECKPOINT_SIGNING_KEY: must be an Ed25519 key']);
    }
    this.#retired = checkpoints.retiredKeys.map((text) => parsed('CHECKPOINT_RETIRED_KEYS', parseVerifier, text));
    const { witnessKey } = checkpoints;
    this.witness = witnessKey === undefined ? undefined : parsed('CHECKPOINT_WITNESS_KEY', parseWitnessKey, witnessKey);
  }

  /** Name of a partition's log, and of its key. */
  originOf(partition: number): string {
    return `partner-payments-service/${this.#ispb}/partition-${partition}`;
  }

  verifierOf(partition: number): NoteVerifier {
    return verifierOf(this.originOf(partition), this.#key);
  }

  /** All keys that have signed a partition's checkpoints: this one, and those before it. */
  verifiersOf(partition: number): readonly NoteVerifier[] {
    const own = this.verifierOf(partition);
    return [own, ...this.#retired.filter(({ name }) => name === own.name)];
  }

  /** The verifier key of a note, as text: that of the retired key which signed it, or else the present one. */
  publicTextFor(partition: number, note: string): string {
    const signer = checkpointIn(note) && this.verifiersOf(partition).find((verifier) => isSignedBy(note, verifier));
    return encodeVerifier(signer ?? this.verifierOf(partition));
  }

  /** The verifier key as text, for witnesses. */
  publicTextOf(partition: number): string {
    return encodeVerifier(this.verifierOf(partition));
  }

  sign(partition: number, size: bigint, root: Buffer): string {
    return signCheckpoint({ origin: this.originOf(partition), size, root }, this.#key);
  }

  /** The checkpoint of a partition in a note; `undefined` where this key did not sign one. */
  signedIn(partition: number, note: string): Checkpoint | undefined {
    const own = this.verifierOf(partition);
    const checkpoint = checkpointIn(note);
    return checkpoint?.origin === own.name && isSignedBy(note, own) ? checkpoint : undefined;
  }

  /** As `signedIn`, of a note that does not claim to be signed by this key, such as one of a retired key. */
  signedByAnother(partition: number, note: string): Checkpoint | undefined {
    const { name, keyId } = this.verifierOf(partition);
    const checkpoint = checkpointIn(note);
    return checkpoint?.origin === name && signaturesOf(note, name, keyId).length === 0 ? checkpoint : undefined;
  }
}

/** @throws ConfigurationError */
function parsed<Key>(setting: string, parse: (text: string) => Key, text: string): Key {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof MalformedNote)) throw error;
    throw new ConfigurationError([`${setting}: ${error.message}: ${text}`]);
  }
}
