import { ServiceUnavailable } from '../../platform/errors/index.js';

/** 503: a partition has no head, or events beyond it. A retry helps once an operator has repaired that. */
export class LogContradicted extends ServiceUnavailable {
  constructor() {
    super('The log contradicts its head: an operator must look at it. Nothing was done.', 60);
  }
}
