/** A missing or invalid setting; the start fails with its message. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export type Parser<T> = (text: string) => T;

/** Reads settings one by one and collects all faults, to report them at once. */
export class EnvironmentReader {
  readonly problems: string[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  optional<T>(name: string, parse: Parser<T>): T | undefined {
    const text = this.environment[name]?.trim();
    if (!text) return undefined;
    try {
      return parse(text);
    } catch (error) {
      this.problems.push(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  }

  withDefault<T>(name: string, parse: Parser<T>, fallback: T): T {
    return this.optional(name, parse) ?? fallback;
  }

  /** As `optional`, but required to start; `why` completes the message. */
  required<T>(name: string, parse: Parser<T>, why: string): T | undefined {
    this.demand(name, why);
    return this.optional(name, parse);
  }

  /** A setting that is required to start; `why` completes the message. */
  demand(name: string, why: string): void {
    if (!this.environment[name]?.trim()) this.problems.push(`${name}: ${why}`);
  }

  assertSound(): void {
    if (this.problems.length > 0) throw new ConfigurationError(this.problems);
  }
}
