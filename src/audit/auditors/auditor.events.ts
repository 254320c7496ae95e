import { defineEvent } from '../../event-store/index.js';

export const AuditorRegistered = defineEvent<{
  id: string;
  /** A label of the operator's choosing, not a person's name. */
  name: string;
  /** The one partner whose events the auditor may read; `null` for all. */
  partnerUid: string | null;
}>()('AuditorRegistered', 'The operator let an auditor read. The credential is kept apart, as a keyed hash.');

export const AuditorRevoked = defineEvent<{ id: string }>()(
  'AuditorRevoked',
  "The auditor's credential is refused from now on.",
);
