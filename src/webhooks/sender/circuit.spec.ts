import { describe, expect, it } from '@jest/globals';
import { Circuit } from './circuit.js';

function failed(times: number): Circuit {
  const circuit = new Circuit();
  for (let i = 0; i < times; i++) circuit.fail(0);
  return circuit;
}

/** One probe at a moment, which fails. */
function probe(circuit: Circuit, at: number): void {
  circuit.begin();
  circuit.fail(at);
}

describe('a circuit', () => {
  it('stays closed up to nineteen failures in a row, and opens with the twentieth', () => {
    expect(failed(19).open).toBe(false);
    expect(failed(20).open).toBe(true);
  });

  it('counts failures in a row only', () => {
    const circuit = failed(19);
    circuit.succeed();
    for (let i = 0; i < 19; i++) circuit.fail(0);
    expect(circuit.open).toBe(false);
  });

  it('lets one probe through after a second, and nothing beside it', () => {
    const circuit = failed(20);
    expect(circuit.admits(999)).toBe(false);
    expect(circuit.admits(1_000)).toBe(true);
    circuit.begin();
    expect(circuit.admits(5_000)).toBe(false);
  });

  it('waits twice as long after each probe that fails, half a minute at most', () => {
    const circuit = failed(20);
    const waits: number[] = [];
    for (let now = 1_000; waits.length < 8; now = circuit.probeAt!) {
      probe(circuit, now);
      waits.push(circuit.probeAt! - now);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it('closes with a probe that succeeds, and forgets what was', () => {
    const circuit = failed(20);
    probe(circuit, 1_000);
    circuit.begin();
    circuit.succeed();
    expect(circuit.open).toBe(false);
    for (let i = 0; i < 20; i++) circuit.fail(10_000);
    expect(circuit.probeAt).toBe(11_000);
  });

  it('is not held open longer by attempts that began before it opened', () => {
    const circuit = failed(20);
    circuit.fail(900);
    circuit.fail(950);
    expect(circuit.probeAt).toBe(1_000);
  });

  it('lets a probe go at once when somebody asks, still one at a time', () => {
    const circuit = failed(20);
    circuit.hurry(10);
    expect(circuit.admits(10)).toBe(true);
    circuit.begin();
    circuit.hurry(20);
    expect(circuit.admits(20)).toBe(false);
  });

  it('lets the next probe go when one said nothing', () => {
    const circuit = failed(20);
    circuit.begin();
    circuit.abandon();
    expect(circuit.admits(1_000)).toBe(true);
  });
});
