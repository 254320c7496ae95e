import type { Item } from '../../api/client.js';
import { type Phrase, t } from '../../i18n/index.js';
import { Moment, Status } from '../../ui/values.js';

export type Case = Item<'/audit/med'>;

export const STATES = {
  Open: 'In analysis',
  Defended: 'Defended',
  Agreed: 'Agreed',
  Rejected: 'Rejected',
  Cancelled: 'Cancelled',
  Closed: 'Closed',
} as const satisfies Record<Case['status'], Phrase>;

const TONES = {
  Open: 'warn',
  Defended: 'warn',
  Agreed: 'info',
  Rejected: 'idle',
  Cancelled: 'idle',
  Closed: 'idle',
} as const satisfies Record<Case['status'], string>;

export function CaseState({ status }: Pick<Case, 'status'>) {
  const name = Object.hasOwn(STATES, status) ? t(STATES[status]) : status;
  return <Status value={name} tone={TONES[status]} />;
}

/** By when it is decided; a word says that this is past. */
export function Deadline({ of: { status, overdue, decideUntil } }: { readonly of: Case }) {
  return (
    <>
      <Moment value={decideUntil} /> {isUndecided(status) && overdue && <Status value={t('Overdue')} tone="bad" />}
    </>
  );
}

export function isUndecided(status: Case['status']): boolean {
  return status === 'Open' || status === 'Defended';
}
