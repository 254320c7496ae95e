import { describe, expect, it } from '@jest/globals';
import { AuthenticationError, TooManyRequests } from '../../platform/errors/index.js';
import type { CountExchange } from '../exchange/count-exchange.js';
import { type Attempt, EntryPoint } from './entry-point.js';

const HERE = '203.0.113.7';
const exchange = { register: () => {}, schedule: () => {}, flushed: async () => {} } as unknown as CountExchange;

function entryPoint(remembers: boolean) {
  const point = new EntryPoint({ name: 'door-x', remembers, pepper: Buffer.alloc(32, 1) }, exchange);
  return async (attempt: Partial<Attempt> & { readonly check?: () => Promise<boolean> }): Promise<string> => {
    const { check = async () => (attempt.credential ?? 'right') === 'right', ...rest } = attempt;
    const asked = { address: HERE, credential: 'right', ...rest };
    const answer = point.admit(asked, async () => ((await check()) ? 'in' : undefined), 'no');
    return answer.catch((error: unknown) => {
      if (error instanceof TooManyRequests) return 'locked';
      if (error instanceof AuthenticationError) return 'refused';
      throw error;
    });
  };
}

describe('ten failures of a network', () => {
  it('lock it out, the right credential included; not elsewhere', async () => {
    const ask = entryPoint(false);
    expect(await ask({})).toBe('in');
    for (let i = 0; i < 10; i++) expect(await ask({ credential: `guess ${i}` })).toBe('refused');
    expect([await ask({ credential: 'guess' }), await ask({})]).toEqual(['locked', 'locked']);
    expect(await ask({ address: '203.0.113.8' })).toBe('in');
  });

  it('do not lock out a credential that was valid from there, where those are remembered', async () => {
    const ask = entryPoint(true);
    expect([await ask({}), await ask({ address: '203.0.113.8' })]).toEqual(['in', 'in']);
    for (let i = 0; i < 10; i++) await ask({ credential: 'guess' });
    expect([await ask({}), await ask({ credential: 'guess' })]).toEqual(['in', 'locked']);
    const late = entryPoint(true);
    for (let i = 0; i < 10; i++) await late({ credential: 'guess' });
    expect(await late({})).toBe('locked');
  });

  it('count by what they were for, where they name it', async () => {
    const ask = entryPoint(false);
    for (let i = 0; i < 10; i++) await ask({ credential: 'guess', subject: 'one' });
    expect([await ask({ subject: 'one' }), await ask({ subject: 'two' }), await ask({})]).toEqual([
      'locked',
      'in',
      'in',
    ]);
  });

  it('are taken back by the success of what they claimed, and by no other', async () => {
    const ask = entryPoint(false);
    for (let i = 0; i < 9; i++) await ask({ credential: 'slip', name: 'own' });
    expect(await ask({ name: 'own' })).toBe('in');
    for (let i = 0; i < 9; i++) await ask({ credential: 'slip', name: 'own' });
    expect(await ask({ name: 'another' })).toBe('in');
    expect(await ask({ credential: 'slip', name: 'own' })).toBe('refused');
    expect(await ask({ name: 'own' })).toBe('locked');
  });

  it('that come at once learn no more than in turn', async () => {
    const ask = entryPoint(false);
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const guesses = Array.from({ length: 50 }, (_, i) =>
      ask({ credential: `guess ${i}`, check: () => opened.then(() => i === 30) }),
    );
    open();
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer === 'refused')).toHaveLength(10);
    expect(answers.filter((answer) => answer === 'locked')).toHaveLength(40);
  });
});
