import { describe, expect, it } from '@jest/globals';
import { type Divergence, Findings, KEPT, show } from './report.js';

const divergence = (check: string, partition: number, position: bigint | null, subject = ''): Divergence => ({
  ...{ check, partition, position, subject, field: 'f', expected: 'e', found: 'g' },
});

describe('divergences', () => {
  it('come by partition, the log before its content and that before rows, each by position, rows without one last', () => {
    const inOrder = [
      divergence('roots', 0, 9n),
      divergence('account numbering', 0, 2n),
      divergence('account numbering', 0, 3n),
      divergence('account numbering', 0, null),
      divergence('rows of accounts', 0, 1n),
      divergence('rows of accounts', 0, null),
      ...['partitions', 'positions', 'times', 'leaf hashes', 'roots', 'checkpoints', 'checkpoint signatures'].map(
        (check, i) => divergence(check, 1, BigInt(i + 2)),
      ),
      divergence('stream versions', 1, 1n),
    ];
    for (const order of [inOrder.toReversed(), [...inOrder.slice(7), ...inOrder.slice(0, 7)]]) {
      const findings = new Findings();
      for (const one of order) findings.report(one);
      expect(findings.divergences).toEqual(inOrder);
    }
  });

  it('are all counted, and the first are kept, however late they come', () => {
    const findings = new Findings();
    for (let i = 0; i < 5 * KEPT; i++) findings.report(divergence('rows of accounts', 1, BigInt(i)));
    findings.report(divergence('roots', 0, 7n, 'the first'));
    expect([findings.count, findings.divergences.length]).toEqual([5 * KEPT + 1, KEPT]);
    expect(findings.divergences[0]).toMatchObject({ check: 'roots', position: 7n });
    expect(findings.divergences.at(-1)).toMatchObject({ position: BigInt(KEPT - 2) });
    expect([findings.names('the first'), findings.names('another')]).toEqual([true, false]);
  });

  it('of another thread are added, with what was examined and those that were not kept', () => {
    const [here, there] = [new Findings(), new Findings()];
    here.saw('roots', 2);
    here.report(divergence('roots', 1, 1n));
    there.saw('roots');
    there.saw('times', 0);
    for (let i = 0; i < 3 * KEPT; i++) there.report(divergence('roots', 0, BigInt(i)));
    here.add(there.snapshot());
    expect([here.count, here.examined]).toEqual([3 * KEPT + 1, { roots: 3, times: 0 }]);
    expect([here.hasSeen('times'), here.hasSeen('positions')]).toEqual([true, false]);
    expect(here.divergences[0]).toMatchObject({ partition: 0, position: 0n });
  });
});

it.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['text', 'text'],
  [5n, '5'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(NaN), 'no time'],
  [Buffer.from('ff00', 'hex'), 'ff00'],
  [{ a: [1n, 'b'] }, '{"a":["1","b"]}'],
])('%p is shown as %s', (value, text) => expect(show(value)).toBe(text));
