import { OperatorApi, PartnerApi } from '../../support/api.js';
import { attackOn, clientOf } from './attack.js';

/** One access key reads as much as the default of its rate limit lets it, beside a client that transfers. */

const SECONDS = 10;
const CONNECTIONS = 32;
const TRANSFERS = 2_000;
const BATCH = 250;

await attackOn(1, { RATE_LIMIT_PER_SECOND: '500', ANONYMOUS_PACE_PER_SECOND: '200' }, async ([service], row) => {
  const { transfers } = await clientOf(service);
  const partner = await new OperatorApi(service.url).partner(['100000.00', '0.00']);
  const reader = await PartnerApi.login(service.url, partner.credentials);
  for (let done = 0; done < TRANSFERS; done += BATCH) {
    const payment = { refAccountCredit: partner.accounts[1], transferAmount: '1.00' };
    const items = Array.from({ length: BATCH }, (_, i) => ({ ...payment, idempotencyKey: String(done + i) }));
    const { body } = await reader.post('/accounts/transfers/batch', { items });
    if (body.data?.counts.done !== BATCH) throw new Error(`nothing to read: ${JSON.stringify(body)}`);
    // The rate limit counts each of them.
    await new Promise((resume) => setTimeout(resume, 1_000));
  }
  row('alone', await transfers(SECONDS));
  // A moment of its own each time: equal lists would share a read.
  const page = (limit: number) => (n: number) =>
    `/accounts/transactions?limit=${limit}&from=2026-01-01T00:00:00.${String(n % 1000).padStart(3, '0')}Z`;
  const reads = { accounts: () => '/accounts', 'pages of 20': page(20), 'pages of 100': page(100) };
  for (const [what, path] of Object.entries(reads)) {
    let [isOver, sent, answered] = [false, 0, 0];
    const reading = Array.from({ length: CONNECTIONS }, async () => {
      while (!isOver) if ((await reader.get(path((sent += 1)))).status === 200) answered += 1;
    });
    const began = performance.now();
    const seen = await transfers(SECONDS);
    const rate = Math.round((answered / (performance.now() - began)) * 1000);
    isOver = true;
    await Promise.all(reading);
    row(what, seen, `${rate} a second`);
  }
});
