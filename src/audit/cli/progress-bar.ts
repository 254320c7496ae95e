const WIDTH = 30;
const INTERVAL_MS = 100;

export interface ProgressSink {
  readonly update: (done: bigint, total: bigint) => void;
  readonly end: () => void;
}

/** Progress for another process: lines of JSON on stderr, counts as decimal text. */
export function progressLines(): ProgressSink {
  let writtenAt = 0;
  let last = '';
  const write = () => process.stderr.write(last);
  return {
    update(done, total) {
      last = `${JSON.stringify({ done: String(done), total: String(total) })}\n`;
      if (performance.now() - writtenAt < INTERVAL_MS) return;
      writtenAt = performance.now();
      write();
    },
    end: write,
  };
}

/** A progress bar on stderr, where that is a terminal; else nothing. */
export function progressBar(what: string): ProgressSink {
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
