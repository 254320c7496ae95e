import { offer } from '../../../bench/generator.js';
import type { LoadPlan } from '../../../bench/load.js';
import { OperatorApi, PartnerApi } from '../../support/api.js';
import { cashInBody } from '../../support/pix-bodies.js';
import { attackOn, clientOf } from './attack.js';

/** Whom the service does not know, or whose key has used up its limit, asks again without a pause, beside a client. */

const SECONDS = 8;
const CONNECTIONS = Number(process.argv[2] ?? 32);

for (const pace of ['0', '200']) {
  await attackOn(1, { ANONYMOUS_PACE_PER_SECOND: pace, RATE_LIMIT_PER_SECOND: '500' }, async ([service], row) => {
    const { transfers } = await clientOf(service);
    const partner = await new OperatorApi(service.url).partner(['1.00']);
    const api = await PartnerApi.login(service.url, partner.credentials);
    const { token } = api;
    const { id } = (await api.post('/accounts/pix/cashin', cashInBody.account())).body.data.transaction;
    await transfers(3);
    row(`pace ${pace}`, await transfers(SECONDS));
    const attacks: Record<string, Pick<LoadPlan, 'method' | 'requests'>> = {
      'a key at its limit': { method: 'GET', requests: [{ path: '/partners-int/accounts', token }] },
      'a made-up token': { method: 'GET', requests: [{ path: '/partners-int/accounts', token: 'x.y.z' }] },
      'no such path': { method: 'GET', requests: [{ path: '/nothing' }] },
      'a malformed login': { method: 'POST', requests: [{ path: '/partners-int/login', body: '{}' }] },
      probes: { method: 'GET', requests: [{ path: '/health/live' }] },
      scrapes: { method: 'GET', requests: [{ path: '/metrics' }] },
      'a charge': { method: 'GET', requests: [{ path: `/pix/payload/${id.replaceAll('-', '')}` }] },
      'its image': { method: 'GET', requests: [{ path: `/pix/qrcode/${id}` }] },
      'the document': { method: 'GET', requests: [{ path: '/openapi.json' }] },
    };
    for (const [what, attack] of Object.entries(attacks)) {
      const plan = { url: service.url, connections: CONNECTIONS, seconds: SECONDS + 2, ...attack };
      const offered = offer(plan);
      // Its first second counts nothing.
      await new Promise((resume) => setTimeout(resume, 2_000));
      const seen = await transfers(SECONDS);
      const { succeeded, failed } = await offered;
      row(what, seen, `${Math.round((succeeded + failed) / plan.seconds)} a second`);
    }
  });
}
