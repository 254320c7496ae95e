import type { Answer } from '../../support/api.js';
import { BEHIND_PROXY, DoorAttacks } from '../../support/door-attacks.js';
import { ADMIN_TOKEN } from '../../support/service.js';
import { attackOn } from './attack.js';

/** Guesses at every door of a service, and who else is kept out by them. Prints the rows of docs/security.md. */

const GUESSES = 1_000;

await attackOn(1, BEHIND_PROXY, async ([service], row) => {
  const attack = await DoorAttacks.on(service);
  const status = async (answer: Promise<Answer>) => (await answer).status;

  await attack.lookedAt(12, () => attack.logIn('192.0.2.1', 'console'));
  row(
    `operator's sign-in after ten logins with the key "console"`,
    await status(attack.signIn('192.0.2.1', ADMIN_TOKEN)),
  );

  row(
    `guesses at operator tokens looked at, of ${GUESSES}`,
    await attack.lookedAt(GUESSES, () => attack.guessOperator('192.0.2.2')),
  );
  row('the operator, elsewhere, after them', await status(attack.asOperator('192.0.2.3')));
  row(
    `made-up credentials of auditors looked at, of ${GUESSES}`,
    await attack.lookedAt(GUESSES, () => attack.guessAuditor('192.0.2.4')),
  );
  const { accessKey } = attack.partner.credentials;
  row(
    'guesses at one secret looked at, of 10 from each of 24 addresses of one /64',
    await attack.lookedAt(240, (i) => attack.logIn(`2001:db8:1:1:${i % 24}::1`, accessKey)),
  );
  row(
    `guesses at the sign-in looked at, of ${GUESSES}, an auditor signing in after every ninth`,
    await attack.lookedAt(GUESSES, async (i) => {
      if (i % 9 === 8) await attack.signIn('192.0.2.5', attack.auditor.token);
      return attack.guessSignIn('192.0.2.5');
    }),
  );
});
