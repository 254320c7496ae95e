import { pack, unpack } from '../exchange/wire.js';
import { type LockOut, MOST_FAILURES } from './lock-out.js';
import type { ValidCredentials } from './valid-credentials.js';

/** Beyond this many unsent outcomes further ones are dropped: a flood of failures must not exhaust memory. */
const MAX_UNSENT = 5_000;

/** What an entry of a message is. */
type Kind =
  /** A failure: its key, and the claimed credential. */
  | 'f'
  /** A success that takes failures back: the same. */
  | 's'
  /** A valid credential. */
  | 'r'
  /** For a process that has just started: a lock-out with its remaining time. */
  | 'p'
  /** The same: failures by key and claimed credential, so that a success takes them back there too. */
  | 'n';

/** Outcomes of attempts at an entry point: those of this process that are not sent yet, and those that others send. */
export class AttemptOutcomes {
  /** In order. */
  readonly #unsent = new Map<string, number>();

  constructor(
    private readonly lockOut: LockOut,
    private readonly valid: ValidCredentials | undefined,
  ) {}

  failed(key: string, name: string | undefined): void {
    this.#add(entry('f', key, name), 1);
  }

  succeeded(key: string, name: string): void {
    this.#unsent.delete(entry('f', key, name));
    this.#add(entry('s', key, name), 0);
  }

  wasValid(credential: string): void {
    this.#add(entry('r', credential), 0);
  }

  clear(): void {
    this.#unsent.clear();
  }

  get isEmpty(): boolean {
    return this.#unsent.size === 0;
  }

  /** See `SharedCount`. */
  takeUnsent(maxCharacters: number): string | undefined {
    return pack(maxCharacters, (add) => {
      for (const [outcome, times] of this.#unsent) {
        if (!add(outcome, times)) return;
        this.#unsent.delete(outcome);
      }
    });
  }

  snapshot(maxCharacters: number): string | undefined {
    return pack(maxCharacters, (add) => {
      for (const [key, left] of this.lockOut.pauses()) if (!add(entry('p', key), Math.ceil(left))) return;
      for (const credential of this.valid?.keys() ?? []) if (!add(entry('r', credential), 0)) return;
      for (const [key, name, failures] of this.lockOut.claims()) if (!add(entry('n', key, name), failures)) return;
    });
  }

  receive(payload: string): void {
    for (const [outcome, number] of unpack(payload)) {
      const [kind, key = '', name] = outcome.split('/');
      const failures = Math.min(number, MOST_FAILURES);
      if (kind === 'f') for (let i = 0; i < failures; i++) this.lockOut.failed(key, name);
      else if (kind === 's' && name !== undefined) this.lockOut.succeeded(key, name);
      else if (kind === 'r') this.valid?.add(key);
      else if (kind === 'p') this.lockOut.paused(key, number);
      else if (kind === 'n' && name !== undefined) this.lockOut.claimed(key, name, failures);
    }
  }

  #add(outcome: string, times: number): void {
    if (this.#unsent.size >= MAX_UNSENT && !this.#unsent.has(outcome)) return;
    this.#unsent.set(outcome, (this.#unsent.get(outcome) ?? 0) + times);
  }
}

function entry(kind: Kind, key: string, name?: string): string {
  return name === undefined ? `${kind}/${key}` : `${kind}/${key}/${name}`;
}
