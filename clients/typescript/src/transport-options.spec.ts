import { describe, expect, it } from '@jest/globals';
import { PaymentsClient } from './index.js';

const CREDENTIALS = { accessKey: 'key', secret: 'secret' };

describe('the address of the service', () => {
  it.each<string | undefined>([
    undefined,
    '',
    'pay.example.com',
    'ftp://pay.example.com',
    'https://user:hidden@pay.example.com',
    'https://pay.example.com/?a=1',
  ])('is not %j, which is told at once, without repeating it', (baseUrl) => {
    expect(() => new PaymentsClient({ ...CREDENTIALS, baseUrl: baseUrl! })).toThrow(
      new TypeError('baseUrl is the address of the service, such as https://pay.example.com'),
    );
  });

  it.each<[string, string]>([
    ['https://pay.example.com/', 'https://pay.example.com'],
    ['https://pay.example.com\n', 'https://pay.example.com'],
    ['https://example.com/a/gateway/', 'https://example.com/a/gateway'],
  ])('may be %j', async (baseUrl, base) => {
    const asked: unknown[] = [];
    const fetch = async (url: unknown): Promise<Response> => {
      asked.push(url);
      throw new TypeError('no network');
    };
    const client = new PaymentsClient({ ...CREDENTIALS, baseUrl, fetch, retries: { limit: 0 } });
    await expect(client.accounts.get('1')).rejects.toMatchObject({ name: 'NoAnswerError' });
    expect(asked).toEqual([`${base}/partners-int/login`]);
  });
});

it.each([0, -1, Number.NaN, 2 ** 31, Infinity])('a timeout of %d ms is refused at once', (timeoutMs) => {
  const options = { ...CREDENTIALS, baseUrl: 'https://pay.example.com', timeoutMs };
  expect(() => new PaymentsClient(options)).toThrow(
    new RangeError(`timeoutMs is 1 to 2147483647 milliseconds: ${timeoutMs}`),
  );
});
