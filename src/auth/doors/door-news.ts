import { pack, unpack } from '../exchange/wire.js';
import type { LockOut } from './lock-out.js';
import type { RightCredentials } from './right-credentials.js';

/** Beyond this many nothing more is told until some have been: a flood of failures must not take memory. */
const MOST_UNTOLD = 5_000;

/** What is told of a door. */
type Kind =
  /** A failure; its key, and the credential that was claimed. */
  | 'f'
  /** A success that took failures back; the same. */
  | 's'
  /** A credential that is right. */
  | 'r'
  /** A pause, with what is left of it: for a process that has just come. */
  | 'p';

/** What happened at a door in this process and was not told to the others yet, and what they tell. */
export class DoorNews {
  /** In order. */
  readonly #untold = new Map<string, number>();

  constructor(
    private readonly lockOut: LockOut,
    private readonly right: RightCredentials | undefined,
  ) {}

  failed(key: string, name: string | undefined): void {
    this.#add(entry('f', key, name), 1);
  }

  succeeded(key: string, name: string): void {
    this.#untold.delete(entry('f', key, name));
    this.#add(entry('s', key, name), 0);
  }

  wasRight(shown: string): void {
    this.#add(entry('r', shown), 0);
  }

  clear(): void {
    this.#untold.clear();
  }

  get isEmpty(): boolean {
    return this.#untold.size === 0;
  }

  tell(mostCharacters: number): string | undefined {
    return pack(mostCharacters, (add) => {
      for (const [what, times] of this.#untold) {
        if (!add(what, times)) return;
        this.#untold.delete(what);
      }
    });
  }

  greet(mostCharacters: number): string | undefined {
    return pack(mostCharacters, (add) => {
      for (const [key, left] of this.lockOut.pauses()) if (!add(entry('p', key), Math.ceil(left))) return;
      for (const shown of this.right?.keys() ?? []) if (!add(entry('r', shown), 0)) return;
    });
  }

  heard(payload: string): void {
    for (const [what, number] of unpack(payload)) {
      const [kind, key = '', name] = what.split('/');
      if (kind === 'f') for (let i = 0; i < number; i++) this.lockOut.failed(key, name);
      else if (kind === 's' && name !== undefined) this.lockOut.succeeded(key, name);
      else if (kind === 'r') this.right?.add(key);
      else if (kind === 'p') this.lockOut.paused(key, number);
    }
  }

  #add(what: string, times: number): void {
    if (this.#untold.size >= MOST_UNTOLD && !this.#untold.has(what)) return;
    this.#untold.set(what, (this.#untold.get(what) ?? 0) + times);
  }
}

function entry(kind: Kind, key: string, name?: string): string {
  return name === undefined ? `${kind}/${key}` : `${kind}/${key}/${name}`;
}
