import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cosign, encodeWitnessKey, witnessKeyOf } from './cosignature.js';
import { isSignedBy, MalformedNote, type NoteVerifier, parseCheckpoint } from './note.js';
import { provesConsistency } from '../tree/verify-proof.js';

/** The answer to a request of c2sp.org/tlog-witness. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly text: string;
}

const HASH = /^[A-Za-z0-9+/]{43}=$/;

/** The state of a witness in a folder: the newest checkpoint of each log, and its own key. For tests and trials. */
export class WitnessLog {
  /** Requests are serialized: each must be consistent with the one before. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly folder: string,
    private readonly name: string,
    private readonly key: KeyObject,
    private readonly logs: readonly NoteVerifier[],
  ) {}

  /** Makes folder and key if they are missing. @param logs whose checkpoints it cosigns */
  static async open(folder: string, name: string, logs: readonly NoteVerifier[]): Promise<WitnessLog> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'witness-key.pem');
    const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(path, made, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return new WitnessLog(folder, name, createPrivateKey(await readFile(path)), logs);
  }

  /** The key that verifies its cosignatures. */
  get publicText(): string {
    return encodeWitnessKey(witnessKeyOf(this.name, this.key));
  }

  /** @param body `old <size>`, hashes of the proof, an empty line, the note */
  add(body: string): Promise<WitnessAnswer> {
    const answer = this.#last.then(() => this.#add(body));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #add(body: string): Promise<WitnessAnswer> {
    const end = body.indexOf('\n\n');
    const [first = '', ...proof] = body.slice(0, Math.max(end, 0)).split('\n');
    const old = /^old (0|[1-9]\d{0,17})$/.exec(first)?.[1];
    if (old === undefined || !proof.every((one) => HASH.test(one))) return { status: 400, text: 'malformed\n' };
    const note = body.slice(end + 2);
    try {
      const { origin, size, root } = parseCheckpoint(note);
      // Several of one name are the keys of a log, one after another.
      const keys = this.logs.filter(({ name }) => name === origin);
      if (keys.length === 0) return { status: 404, text: 'not a log that this witness knows\n' };
      if (!keys.some((key) => isSignedBy(note, key))) return { status: 403, text: 'not signed by the log\n' };
      const seen = await this.#seen(origin);
      if (seen && seen.size !== BigInt(old)) return { status: 409, text: `${seen.size}\n` };
      if (!seen && old !== '0') return { status: 409, text: '0\n' };
      if (size < BigInt(old)) return { status: 400, text: 'smaller than the old size\n' };
      const hashes = proof.map((one) => Buffer.from(one, 'base64'));
      const follows = !seen || seen.size === 0n || provesConsistency(seen.size, seen.root, size, root, hashes);
      if (!follows) return { status: 422, text: 'not a continuation of what was seen\n' };
      await this.#keep(origin, note);
      return { status: 200, text: cosign(note, this.name, this.key, new Date()) };
    } catch (error) {
      if (error instanceof MalformedNote) return { status: 400, text: `${error.message}\n` };
      throw error;
    }
  }

  async #seen(origin: string) {
    const note = await readFile(this.#fileOf(origin), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return note === undefined ? undefined : parseCheckpoint(note);
  }

  /** Atomically, before the note is cosigned. */
  async #keep(origin: string, note: string): Promise<void> {
    const path = this.#fileOf(origin);
    await writeFile(`${path}.new`, note, { flush: true });
    await rename(`${path}.new`, path);
  }

  #fileOf(origin: string): string {
    return join(this.folder, `${Buffer.from(origin).toString('base64url')}.checkpoint`);
  }
}
