import { describe, expect, it } from '@jest/globals';
import { type Config, ConfigurationError } from '../platform/config/index.js';
import { CashInCodes } from './cash-in-codes.js';

function codesOf(publicUrl: string): CashInCodes {
  return new CashInCodes({ publicUrl, institution: { name: 'Loja' }, merchantCity: 'SAO PAULO' } as Config);
}

describe('the addresses of charges', () => {
  it('leave 32 characters for host and path', () => {
    expect(() => codesOf(`https://${'a'.repeat(32)}`)).not.toThrow();
  });

  it('are refused at the start where they are longer, with what they may be', () => {
    const start = () => codesOf(`https://${'a'.repeat(33)}`);
    expect(start).toThrow(ConfigurationError);
    expect(start).toThrow(/^PUBLIC_URL.* at most 77 characters/);
  });
});
