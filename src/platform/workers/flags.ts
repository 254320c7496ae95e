const PERCENTAGE = '--max-old-space-size-percentage';

/**
 * Flags of Node for each of several workers. A heap that is given as a share of the machine's memory (or of the
 * container's) is divided among them; one in megabytes is each worker's.
 * @param flags of this process
 * @param nodeOptions `NODE_OPTIONS`; flags go before it
 */
export function workerFlags(flags: readonly string[], nodeOptions: string | undefined, workers: number): string[] {
  const given = [...(nodeOptions ?? '').split(/\s+/), ...flags].filter((flag) => flag.startsWith(`${PERCENTAGE}=`));
  const whole = given.at(-1);
  if (whole === undefined) return [...flags];
  const part = Number(whole.slice(PERCENTAGE.length + 1)) / workers;
  return [...flags.filter((flag) => !given.includes(flag)), `${PERCENTAGE}=${Number(part.toFixed(2))}`];
}
