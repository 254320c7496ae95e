import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '../../accounts/index.js';
import { canBecome, isAllowed, type Transition, TRANSITIONS } from './transitions.js';

const STATES = ['Scheduled', 'Registered', 'Completed', 'Error', 'Reversed', 'Cancelled'] as const;

/** The table as the documents show it. */
function table(transitions: readonly Transition[]): string {
  const rows = transitions.map(
    ({ type, from, to, event, when }) => `| ${type} | ${from ?? '(none)'} | ${to} | \`${event}\` | ${when} |`,
  );
  return ['| Type | From | To | Event | When |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The diagrams as the documents show them: one for each type. */
function diagrams(transitions: readonly Transition[]): string[] {
  return ['CashOut', 'CashIn', 'Refund'].map((name) => {
    const arrows = transitions
      .filter(({ type }) => type === name)
      .map(({ from, to, event }) => `  ${from ?? '[*]'} --> ${to}: ${event}`);
    return ['```mermaid', 'stateDiagram-v2', ...arrows, '```', ''].join('\n');
  });
}

/** Without the padding that makes a table look straight. */
function unpadded(text: string): string {
  return text.replace(/ +/g, ' ').replace(/-{3,}/g, '---').replaceAll('| --- ', '|---').replaceAll('--- |', '---|');
}

describe('the states', () => {
  it('are in the documents as they are in the code', async () => {
    const page = await readFile('docs/pix.md', 'utf8');
    expect(unpadded(page)).toContain(table(TRANSITIONS));
    for (const diagram of diagrams(TRANSITIONS)) expect(page).toContain(diagram);
  });

  it.each(['CashIn', 'CashOut', 'Refund'] as const)('of a %s begin with Registered and are left once', (type) => {
    const waits = type === 'CashOut' ? ['Scheduled'] : [];
    expect(STATES.filter((state) => isAllowed(type, null, state))).toEqual([...waits, 'Registered']);
    const final = STATES.filter((state) => !['Scheduled', 'Registered'].includes(state));
    for (const from of final) expect(STATES.filter((to) => isAllowed(type, from, to))).toEqual([]);
    expect(isAllowed(type, 'Registered', 'Registered')).toBe(false);
  });

  it('of a payout that waits lead to its registration, or to an end without any money', () => {
    expect(STATES.filter((to) => isAllowed('CashOut', 'Scheduled', to))).toEqual(['Registered', 'Error', 'Cancelled']);
  });

  it('of a payout that waits are nothing that the rail knows: a notification ends none', () => {
    const payout = (state: Transaction['state']) => ({ type: 'CashOut', state }) as Transaction;
    expect(STATES.filter((to) => canBecome(payout('Scheduled'), to))).toEqual([]);
    expect(STATES.filter((to) => canBecome(payout('Registered'), to))).toEqual(['Completed', 'Error', 'Reversed']);
  });
});
