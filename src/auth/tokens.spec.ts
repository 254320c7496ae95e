import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import type { Config } from '../platform/config/index.js';
import { AuthenticationError } from '../platform/errors/index.js';
import { TOKEN_SECONDS, Tokens } from './tokens.js';

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00.000Z') }));
afterEach(() => void jest.useRealTimers());

it('a token is refused from its last second on, though it was known before', () => {
  const config = { secrets: { jwtSecret: 'a secret of more than thirty-two characters' } } as Config;
  const tokens = new Tokens(new JwtService(), config);
  const { token, expiresAt } = tokens.issue('a-key', new Date());
  expect(expiresAt.getTime() - Date.now()).toBe(TOKEN_SECONDS * 1000);
  expect(tokens.verify(token)).toBe('a-key');
  jest.setSystemTime(expiresAt.getTime() - 1);
  expect(tokens.verify(token)).toBe('a-key');
  jest.setSystemTime(expiresAt);
  expect(() => tokens.verify(token)).toThrow(AuthenticationError);
});
