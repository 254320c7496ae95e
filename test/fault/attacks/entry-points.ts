import type { Answer } from '../../support/api.js';
import { BEHIND_PROXY, EntryPointAttacks } from '../../support/entry-point-attacks.js';
import { ADMIN_TOKEN } from '../../support/service.js';
import { attackOn } from './attack.js';

/** Guesses at every entry point of a service, and whom they lock out. Prints the rows of docs/security.md. */

const GUESSES = 1_000;

await attackOn(1, BEHIND_PROXY, async ([service], row) => {
  const attack = await EntryPointAttacks.on(service);
  const status = async (answer: Promise<Answer>) => (await answer).status;

  await attack.checked(12, () => attack.logIn('192.0.2.1', 'console'));
  row(
    `operator's sign-in after ten logins with the key "console"`,
    await status(attack.signIn('192.0.2.1', ADMIN_TOKEN)),
  );

  row(
    `guesses at operator tokens checked, of ${GUESSES}`,
    await attack.checked(GUESSES, () => attack.guessOperator('192.0.2.2')),
  );
  row('the operator, elsewhere, after them', await status(attack.asOperator('192.0.2.3')));
  row(
    `made-up credentials of auditors checked, of ${GUESSES}`,
    await attack.checked(GUESSES, () => attack.guessAuditor('192.0.2.4')),
  );
  const { accessKey } = attack.partner.credentials;
  row(
    'guesses at one secret checked, of 10 from each of 24 addresses of one /64',
    await attack.checked(240, (i) => attack.logIn(`2001:db8:1:1:${i % 24}::1`, accessKey)),
  );
  row(
    `guesses at the sign-in checked, of ${GUESSES}, an auditor signing in after every ninth`,
    await attack.checked(GUESSES, async (i) => {
      if (i % 9 === 8) await attack.signIn('192.0.2.5', attack.auditor.token);
      return attack.guessSignIn('192.0.2.5');
    }),
  );
});
