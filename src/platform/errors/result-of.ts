import { OutcomeUnknown, ServiceUnavailable } from './errors.js';

/** 503: the request was carried out, and what it did could not be read. */
export class ResultNotRead extends OutcomeUnknown {
  override readonly logLevel = 'warn';
  override readonly cause: unknown;

  constructor(unavailable: ServiceUnavailable) {
    super(
      'The request was carried out, but its result could not be read. Read it, or repeat the request with the same ' +
        'Idempotency-Key if it had one.',
    );
    this.cause = unavailable.cause ?? unavailable;
  }
}

/**
 * What was carried out, for its answer.
 * @throws ResultNotRead instead of ServiceUnavailable, which would say that nothing was done
 */
export async function resultOf<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof ServiceUnavailable ? new ResultNotRead(error) : error;
  }
}
