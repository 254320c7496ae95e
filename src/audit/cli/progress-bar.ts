const WIDTH = 30;
const INTERVAL_MS = 100;

/** A progress bar on stderr, where that is a terminal; else nothing. */
export function progressBar(what: string): {
  readonly update: (done: bigint, total: bigint) => void;
  readonly end: () => void;
} {
  const { stderr } = process;
  const started = performance.now();
  let drawnAt = 0;
  return {
    update(done, total) {
      const now = performance.now();
      if (!stderr.isTTY || now - drawnAt < INTERVAL_MS) return;
      drawnAt = now;
      const part = total === 0n ? 1 : Number(done) / Number(total);
      const filled = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
      const rate = Math.round(Number(done) / Math.max((now - started) / 1000, 0.001));
      stderr.write(`\r${what} ${filled} ${done}/${total} events, ${rate}/s `);
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}
