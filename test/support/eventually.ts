/**
 * Polls until `probe` gives something (not `undefined`, not `false`) and returns that.
 * @throws the probe's last error, or a timeout, when the deadline passes; at once for errors that `unless` names
 */
export async function eventually<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  {
    within = 10_000,
    every = 20,
    unless,
  }: { within?: number; every?: number; unless?: (error: unknown) => boolean } = {},
): Promise<T> {
  const deadline = Date.now() + within;
  for (;;) {
    let failure: unknown;
    try {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      if (unless?.(error)) throw error;
      failure = error;
    }
    if (Date.now() > deadline) throw failure ?? new Error(`nothing came within ${within} ms`);
    await new Promise((resume) => setTimeout(resume, every));
  }
}
