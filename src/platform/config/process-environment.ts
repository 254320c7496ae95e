/** What this process was given beside the settings: its place among the workers, and flags of Node. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
