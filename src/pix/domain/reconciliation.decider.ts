import { type NewEvent, uuidOf } from '../../event-store/index.js';
import type { ReconciledDay, ReconciliationCase } from './reconciliation.js';
import {
  type BalanceRead,
  type CaseKind,
  DayReconciled,
  ReconciliationCaseClosed,
  ReconciliationCaseOpened,
} from './events/reconciliation.events.js';

/** A difference between rail and ledger. Centavos; `null` on a side that does not have it. */
export interface Difference {
  readonly kind: CaseKind;
  readonly reference: string;
  readonly transactionId: string | null;
  readonly rail: bigint | null;
  readonly ledger: bigint | null;
}

/** The result of one night. */
export interface Night {
  readonly day: string;
  readonly mismatched: number;
  readonly differences: readonly Difference[];
  readonly balance?: BalanceRead;
  readonly before?: BalanceRead;
}

/** A day that differs as a whole opens no more cases than this: the comparison lists the rest. */
const MOST_CASES = 100;

/** Id of a difference's case: always the same, however often the difference is found. */
export function caseIdOf({ kind, reference }: Pick<Difference, 'kind' | 'reference'>): string {
  return uuidOf(`${kind}/${reference}`);
}

/** Records a day once, and opens cases for differences that have none. */
export function recordDay(
  known: { readonly day: ReconciledDay | undefined; readonly cases: ReadonlyMap<string, ReconciliationCase> },
  { differences, ...night }: Night,
): NewEvent[] {
  const { day, mismatched, balance, before } = night;
  const byCase = new Map(differences.map((difference) => [caseIdOf(difference), difference]));
  const opened = [...byCase]
    .filter(([id]) => !known.cases.has(id))
    .slice(0, MOST_CASES)
    .map(([id, { kind, reference, transactionId, rail, ledger }]) =>
      ReconciliationCaseOpened.create(streamOf(id), 1, {
        ...{ id, day, kind, reference, transactionId },
        rail: rail?.toString() ?? null,
        ledger: ledger?.toString() ?? null,
      }),
    );
  if (known.day) return opened;
  const balances = { ...(balance && { balance }), ...(before && { before }) };
  return [DayReconciled.create(`reconciliation-${day}`, 1, { day, mismatched, ...balances }), ...opened];
}

/** A case that is closed stays as it was closed. */
export function closeCase({ id, status }: ReconciliationCase, note: string): NewEvent[] {
  return status === 'Closed' ? [] : [ReconciliationCaseClosed.create(streamOf(id), 2, { id, note })];
}

const streamOf = (id: string) => `reconciliation-case-${id}`;
