/**
 * One way in which somebody with the superuser's rights changes what is stored. In `how`, `:p` is the partner's
 * partition, `:size` and `:sealed` how many events it has and has under a checkpoint, `:a` its first account,
 * `:partner` its uid. What the last statement returns as `at` is the position, as `partition` that of the log, as `key`
 * what the message must name.
 */
export interface Tampering {
  readonly what: string;
  readonly how: string | readonly string[];
  /** The check that finds it. */
  readonly by: string;
  /** The field that the message names, or more of it. */
  readonly message: RegExp;
}

/** Several that are done to one copy, since a verification costs a process: each is found by itself. */
export interface TamperingGroup {
  readonly name: string;
  readonly ways: readonly Tampering[];
  /** Done to the guards of the log, which stand again by then. */
  readonly guards?: readonly Tampering[];
  /** The forger makes leaves, root and peaks fit again. */
  readonly rehashed?: boolean;
}

export function way(what: string, how: Tampering['how'], by: string, message: RegExp): Tampering {
  return { what, how, by, message };
}
