import { classifyFault } from '../../../platform/database/index.js';
import { ServiceUnavailable } from '../../../platform/errors/index.js';
import { RailUnavailable } from '../rail-errors.js';

/** A rail whose database is unreachable is a rail that does not answer. */
export async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ServiceUnavailable || classifyFault(error) === 'transient') {
      throw new RailUnavailable('the sandbox does not answer', { cause: error });
    }
    throw error;
  }
}
