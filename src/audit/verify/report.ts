/** One divergence, and where. */
export interface Divergence {
  /** Which check found it. */
  readonly check: string;
  readonly partition: number;
  /** Position of the event that it is about; `null` for a row that no event explains. */
  readonly position: bigint | null;
  /** The row, stream or account that it is about, where it is not the event itself. */
  readonly subject: string | null;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

export interface PartitionSummary {
  readonly partition: number;
  /** Events examined: the size of the partition when the verification began. */
  readonly events: bigint;
  readonly root: string;
  readonly checkpoints: number;
  /** Size of the newest signed checkpoint; later events are not sealed yet. */
  readonly sealed: bigint;
  /** Checkpoints from outside the database that it was compared with. */
  readonly outside: number;
}

export interface VerifyReport {
  readonly ok: boolean;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly partitions: readonly PartitionSummary[];
  /** How many items each check examined. */
  readonly examined: Readonly<Record<string, number>>;
  readonly divergenceCount: number;
  /** The first of `divergences`. */
  readonly first: Divergence | null;
  /** In order of partition, of cause (the log, its meaning, rows made of it) and of position; the first hundred. */
  readonly divergences: readonly Divergence[];
  /** Limits of the verdict; no divergences. */
  readonly warnings: readonly string[];
}

/** More divergences than these are counted only. */
export const KEPT = 100;

/** The findings of another thread, to be added. */
export interface FindingsSnapshot {
  readonly examined: Readonly<Record<string, number>>;
  readonly kept: readonly Divergence[];
  readonly count: number;
}

/** Collects divergences: keeps the first ones and counts all, so that a ruined log costs no memory. */
export class Findings {
  readonly examined: Record<string, number> = {};
  /** Limits of the verdict. */
  readonly warnings: string[] = [];
  #kept: Divergence[] = [];
  #count = 0;

  saw(check: string, count = 1): void {
    this.examined[check] = (this.examined[check] ?? 0) + count;
  }

  hasSeen(check: string): boolean {
    return this.examined[check] !== undefined;
  }

  report(divergence: Divergence): void {
    this.#count += 1;
    this.#kept.push(divergence);
    if (this.#kept.length >= 2 * KEPT) this.#kept = this.#kept.sort(inOrder).slice(0, KEPT);
  }

  /** All findings, in a form that another thread can receive. */
  snapshot(): FindingsSnapshot {
    return { examined: this.examined, kept: this.divergences, count: this.#count };
  }

  add({ examined, kept, count }: FindingsSnapshot): void {
    for (const [check, seen] of Object.entries(examined)) this.saw(check, seen);
    for (const divergence of kept) this.report(divergence);
    this.#count += count - kept.length;
  }

  /** Whether a kept divergence has this subject. */
  names(subject: string): boolean {
    return this.#kept.some((one) => one.subject === subject);
  }

  get count(): number {
    return this.#count;
  }

  get divergences(): readonly Divergence[] {
    return this.#kept.sort(inOrder).slice(0, KEPT);
  }
}

const OF_THE_LOG = new Set([
  'partitions',
  'positions',
  'times',
  'leaf hashes',
  'roots',
  'checkpoints',
  'checkpoint signatures',
]);

/** Divergences of the log come first, then those of its content, then those of rows derived from it. */
function rank({ check }: Divergence): number {
  if (OF_THE_LOG.has(check)) return 0;
  return check.startsWith('rows of ') ? 2 : 1;
}

function inOrder(a: Divergence, b: Divergence): number {
  if (a.partition !== b.partition) return a.partition - b.partition;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a.position === b.position) return 0;
  if (a.position === null) return 1;
  if (b.position === null) return -1;
  return a.position < b.position ? -1 : 1;
}

/** A value as a report shows it. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no time' : value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? member.toString() : member));
}
