import { ServiceUnavailable } from '../../platform/errors/index.js';

/**
 * 503: a partition has no head, or events beyond it; or a row is not what its events make, or names events that are not
 * what it says. A retry helps once an operator has repaired that.
 */
export class LogContradicted extends ServiceUnavailable {
  override readonly logLevel = 'error';

  constructor(what = 'The log contradicts its head') {
    super(`${what}: an operator must look at it. Nothing was done.`, 60);
  }
}
