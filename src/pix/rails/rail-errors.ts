/** The rail is unreachable, or did not answer in time: whether the call took effect is unknown. */
export class RailUnavailable extends Error {
  override readonly name = 'RailUnavailable';
  /** The rail's `Retry-After`, in milliseconds. */
  retryAfterMs = 0;
}

/** What was begun over another rail, or at another PSP, waits until that one is configured again. */
export class OfAnotherRail extends RailUnavailable {
  /** @param what as a log record names it */
  constructor(what: string) {
    super(`${what} was begun over another rail or PSP, which alone can end it`);
  }
}

/** The rail refused a charge for good. */
export class ChargeRefused extends Error {
  override readonly name = 'ChargeRefused';

  /** @param code the rail's code of the reason */
  constructor(readonly code: string) {
    super(`the rail refused a charge: ${code}`);
  }
}
