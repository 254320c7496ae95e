/** The database cannot be distributed by this command; the message says why. */
export class DistributionRefused extends Error {
  override readonly name = 'DistributionRefused';
}
