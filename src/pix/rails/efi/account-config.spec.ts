import { expect, it } from '@jest/globals';
import type { Config } from '../../../platform/config/index.js';
import type { ApiPixClient } from '../bcb/api-pix-client.js';
import { MalformedAnswer } from '../bcb/answer-members.js';
import { AccountConfig, wantedConfig } from './account-config.js';

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

it('that are nested too deep to be written back are left as they are, and end no process', async () => {
  const deep = JSON.parse(`{"pix":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`) as object;
  const asked: string[] = [];
  const client = {
    call: async ({ method, body }: { method: string; body?: object }) => {
      asked.push(method);
      return body ? JSON.stringify(body) : deep;
    },
  } as unknown as ApiPixClient;
  const settings = {
    role: 'all',
    pixKey: 'k',
    efi: { ownUrl: 'https://psp', checksPayer: false },
  } as unknown as Config;
  const account = new AccountConfig(client, settings);
  account.onApplicationBootstrap();
  await new Promise((resume) => setTimeout(resume));
  account.onApplicationShutdown();
  expect(asked).toEqual(['GET', 'PUT']);
});
