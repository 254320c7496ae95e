import { defineEvent } from '../../event-store/index.js';

export const AuditorRegistered = defineEvent<{
  id: string;
  /** A label of the operator's choosing, not a person's name. */
  name: string;
  /** The one partner whose events the auditor may read; `null` for all. */
  partnerUid: string | null;
  /** The stored hash is bound to this auditor; absent for older credentials. */
  bound?: true;
}>()('AuditorRegistered', 'The operator registered an auditor. The credential is kept apart, as a keyed hash.');

export const AuditorCredentialBound = defineEvent<{ id: string }>()(
  'AuditorCredentialBound',
  'The stored hash of an older credential was bound to its auditor.',
);

export const AuditorRevoked = defineEvent<{ id: string }>()(
  'AuditorRevoked',
  "The auditor's credential is refused from now on.",
);
