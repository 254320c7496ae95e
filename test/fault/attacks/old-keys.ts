import { OperatorApi, PartnerApi } from '../../support/api.js';
import { attackOn, clientOf } from './attack.js';

/**
 * One access key sends batches of 250 old keys, one batch a second, beside a client that transfers: keys of one commit,
 * and keys of as many commits as there are, each of 500 transfers.
 */

const SECONDS = 8;
const COMMITS = 250;
const SETTLED_MS = 5_000;

await attackOn(1, { RATE_LIMIT_PER_SECOND: '100000' }, async ([service], row) => {
  const { transfers } = await clientOf(service);
  const partner = await new OperatorApi(service.url).partner(['1000000.00', '0.00']);
  const api = await PartnerApi.login(service.url, partner.credentials);
  const send = async (mode: 'atomic' | 'independent', keys: readonly string[]) => {
    const terms = { refAccountCredit: partner.accounts[1]!, transferAmount: '1.00' };
    const items = keys.map((idempotencyKey) => ({ idempotencyKey, ...terms }));
    const { status, body } = await api.post('/accounts/transfers/batch', { mode, items });
    if (status !== 200 || body.data.counts.done !== keys.length) throw new Error(JSON.stringify(body).slice(0, 400));
  };
  const keys = (count: number, keyOf: (i: number) => string) => Array.from({ length: count }, (_, i) => keyOf(i));
  for (let commit = 0; commit < COMMITS; commit++)
    await send(
      'atomic',
      keys(500, (i) => `${commit}-${i}`),
    );
  await new Promise((resume) => setTimeout(resume, SETTLED_MS));
  row('alone', await transfers(SECONDS));
  const batches = {
    'new keys': (n: number) => keys(COMMITS, (i) => `new-${n}-${i}`),
    'keys of one commit': (n: number) => keys(COMMITS, (i) => `${n}-${i}`),
    'keys of 250 commits': (n: number) => keys(COMMITS, (i) => `${i}-${n}`),
  };
  for (const [what, keysOf] of Object.entries(batches)) {
    let isOver = false;
    const times: number[] = [];
    const sending = (async () => {
      while (!isOver) {
        const began = performance.now();
        await send('independent', keysOf(times.length));
        const took = performance.now() - began;
        times.push(took);
        await new Promise((resume) => setTimeout(resume, Math.max(0, 1_000 - took)));
      }
    })();
    const seen = await transfers(SECONDS);
    isOver = true;
    await sending;
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    row(what, seen, `${times.length} batches, mean ${mean.toFixed(0)} ms`);
  }
});
