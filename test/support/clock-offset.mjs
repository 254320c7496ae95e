/**
 * Loaded into a process before everything else (`--import`): its wall clock is off by the milliseconds that the file
 * `CLOCK_OFFSET_FILE` holds, and jumps when that changes. The monotonic clock and timers stay as they are, as they do
 * when a machine's clock is set.
 */
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const RealDate = Date;
let offset = 0;

function look() {
  try {
    offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8')) || 0;
  } catch {
    offset = 0;
  }
}

look();
setInterval(look, 20).unref();

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offset);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offset;
  }
};
