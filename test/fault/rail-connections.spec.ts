import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Config, EfiSettings } from '../../src/platform/config/index.js';
import { ApiPixClient } from '../../src/pix/rails/bcb/api-pix-client.js';
import { Cobs } from '../../src/pix/rails/bcb/cobs.js';
import { Devolucoes } from '../../src/pix/rails/bcb/devolucoes.js';
import { STANDARD } from '../../src/pix/rails/bcb/dialect.js';
import { MutualTls } from '../../src/pix/rails/bcb/mutual-tls.js';
import { ReceivedList } from '../../src/pix/rails/bcb/received-list.js';
import { TokenSource } from '../../src/pix/rails/bcb/token-source.js';
import { SentPayments } from '../../src/pix/rails/efi/sent-payments.js';
import { testAuthority } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { CLIENT, ModelPsp } from '../support/model-psp.js';
import { PSP_KEY } from '../support/model-psp-books.js';

/** More than one kind of call has connections. */
const MANY = 150;

let psp: ModelPsp;
let http: MutualTls;
let efi: EfiSettings;
let client: ApiPixClient;
let tokens: TokenSource;
let calls: Record<'charges' | 'refunds' | 'payouts' | 'lists', () => Promise<unknown>>;

beforeAll(async () => {
  const authority = testAuthority('PSP authority');
  psp = await ModelPsp.start(authority);
  const { cert, key } = authority.issue('partner-payments');
  efi = {
    ...{ baseUrl: psp.baseUrl, ownUrl: psp.baseUrl, sendUrl: psp.baseUrl, tokenUrl: psp.tokenUrl },
    ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret, clientCertificate: cert, clientKey: key },
    ...{ authorities: authority.cert, timeoutMs: 3_000, queryDays: 7, lookUpLagMs: 0 },
  } as EfiSettings;
  http = new MutualTls(efi);
  const config = { efi, pixKey: PSP_KEY } as Config;
  tokens = new TokenSource(http, efi, STANDARD);
  client = new ApiPixClient(http, tokens, efi, STANDARD);
  const list = new ReceivedList(client, config, efi, STANDARD);
  const cobs = new Cobs(client, list, config);
  const refunds = new Devolucoes(client, STANDARD, efi);
  const payments = new SentPayments(client, config);
  calls = {
    charges: () => cobs.cancel('a'.repeat(32)),
    refunds: () => refunds.query({ returnId: 'D1', endToEndId: 'E1' }),
    payouts: () => payments.find('payout'),
    lists: () => list.find('E1'),
  };
});

afterAll(async () => {
  await http?.close();
  await psp?.close();
});

const PATHS = { charges: /\/cob\//, refunds: /\/devolucao\//, payouts: /\/enviados\//, lists: /\/pix\/E1$/ } as const;

it.each(Object.keys(PATHS) as (keyof typeof PATHS)[])(
  'calls of other kinds, and tokens, do not wait where the PSP gives no answer to those of %s',
  async (kind) => {
    psp.requests.length = 0;
    psp.failNext(PATHS[kind], ...Array.from({ length: 10 * MANY }, () => 'hang' as const));
    const begun = performance.now();
    const hanging = Array.from({ length: MANY }, () => calls[kind]().catch(() => undefined));
    await eventually(() => psp.asked(PATHS[kind]).length >= 64);

    tokens.drop(await tokens.get());
    const others = (Object.keys(PATHS) as (keyof typeof PATHS)[]).filter((one) => one !== kind);
    await Promise.all(others.map((one) => calls[one]().catch(() => undefined)));
    for (const one of others) expect(psp.asked(PATHS[one]).length).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(efi.timeoutMs);
    await Promise.all(hanging);
    psp.forgetFaults();
  },
  30_000,
);
