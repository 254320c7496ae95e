import { expect, it } from '@jest/globals';
import { MalformedAnswer } from '../bcb/messages.js';
import { wantedConfig } from './account-config.js';

const wanted = (now: unknown) => wantedConfig(now as Parameters<typeof wantedConfig>[0], 'k', false);

it("an account's settings may lack any group of them", () => {
  const none = wanted({});
  for (const now of [{ pix: null }, { pix: { chaves: null } }, { pix: { chaves: { k: null } } }]) {
    expect(wanted(now)).toEqual(none);
  }
});

it.each([
  [],
  'x',
  { pix: 'x' },
  { pix: [] },
  { pix: { chaves: 'x' } },
  { pix: { chaves: { k: 7 } } },
  { pix: { chaves: { k: { recebimento: ['x'] } } } },
  { pix: { chaves: { k: { envio: { webhook: { notificacao: 'x' } } } } } },
])('are not written back where they are no settings: %j', (now) => {
  expect(() => wanted(now)).toThrow(MalformedAnswer);
});
