/**
 * What a promise comes to, if it does so in time; a late outcome is ignored.
 * @param milliseconds how long is waited
 * @throws what `late` makes
 */
export async function inTime<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
