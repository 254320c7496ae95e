import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorApi, PartnerApi } from '../../support/api.js';
import { BEHIND_PROXY, EntryPointAttacks } from '../../support/entry-point-attacks.js';
import { inTurn, offerAll } from '../../support/limit-load.js';
import { attackOn } from './attack.js';

/** What three processes admit of one limit, and of guesses at one secret. Prints the rows of docs/security.md. */

const RATE = 100;
const SECONDS = 5;
const SPREADS: Readonly<Record<string, readonly number[]>> = {
  'two processes, evenly': [0, 1],
  'three processes, evenly': [0, 1, 2],
  'three processes, nine of ten at one': [0, 0, 0, 0, 1, 0, 0, 0, 0, 2],
  'one of three processes': [2],
};

await attackOn(3, { ...BEHIND_PROXY, ROLE: 'api', RATE_LIMIT_PER_SECOND: `${RATE}` }, async (services, row) => {
  const operator = new OperatorApi(services[0].url);
  const partner = await operator.partner(['10.00']);
  await sleep(1_500);
  for (const [spread, turns] of Object.entries(SPREADS)) {
    const key = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {});
    const session = await PartnerApi.login(services[0].url, key);
    const targets = turns.map((i) => services[i]!.url);
    const { accepted, refused, allowed } = await offerAll(inTurn(session, targets), RATE, { seconds: SECONDS });
    row(spread, accepted, refused, `${(accepted / allowed).toFixed(2)} of ${Math.round(allowed)}`);
  }
  const first = await EntryPointAttacks.on(services[0]);
  const attacks = services.map((service) => first.at(service));
  const { accessKey } = first.partner.credentials;
  const seen = await first.checked(60, (i) => attacks[i % 3]!.logIn('192.0.2.1', accessKey));
  row('guesses at one secret, in turn at three processes', seen, 60 - seen, `${(seen / 10).toFixed(2)} of 10`);
});
