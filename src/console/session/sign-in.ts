import { Injectable } from '@nestjs/common';
import { Auditors, claimedAuditor } from '../../audit/index.js';
import { EntryPoints, Operators, type Session, Sessions } from '../../auth/index.js';

const REFUSAL = 'This is neither an operator token nor the credential of an auditor in use.';

type Grant = Parameters<Sessions['open']>;

/** Exchanges a credential for a session. The credential is never logged. A session is no event: it changes nothing. */
@Injectable()
export class SignIn {
  constructor(
    private readonly operators: Operators,
    private readonly auditors: Auditors,
    private readonly sessions: Sessions,
    private readonly entryPoints: EntryPoints,
  ) {}

  /**
   * @param credential an operator's token or an auditor's credential
   * @throws AuthenticationError for neither. @throws TooManyRequests after too many failures
   */
  async signIn(credential: string, address: string): Promise<{ session: Session; cookie: string }> {
    const attempt = { address, credential, name: claimedAuditor(credential) };
    return this.sessions.open(
      ...(await this.entryPoints.console.admit(attempt, () => this.#authenticate(credential), REFUSAL)),
    );
  }

  async #authenticate(credential: string): Promise<Grant | undefined> {
    const operator = this.operators.byToken(credential);
    if (operator) return ['operator', operator.name, operator.fingerprint];
    const auditor = await this.auditors.authenticate(credential);
    return auditor && ['auditor', auditor.id, Buffer.alloc(0)];
  }
}
