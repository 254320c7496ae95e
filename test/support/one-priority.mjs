import { constants, setPriority } from 'node:os';

/**
 * Auditors' commands give way to everything else, and a run keeps all processors busy: here all have their priority. So
 * have the runs that CI has beside one another: one of a higher priority would leave the others a tenth of the time.
 */
export default function takeOnePriority() {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
