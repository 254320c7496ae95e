import { Injectable } from '@nestjs/common';
import { Auditors, claimedAuditor } from '../../audit/index.js';
import { Doors, Operators, type Session, Sessions } from '../../auth/index.js';

const REFUSAL = 'This is neither an operator token nor the credential of an auditor in use.';

type Opened = Parameters<Sessions['open']>;

/** Exchanges a credential for a session. Nothing of it is logged; sessions are not events: they change nothing. */
@Injectable()
export class SignIn {
  constructor(
    private readonly operators: Operators,
    private readonly auditors: Auditors,
    private readonly sessions: Sessions,
    private readonly doors: Doors,
  ) {}

  /**
   * @param credential an operator's token or an auditor's credential; which one shows by itself
   * @throws AuthenticationError for neither. @throws TooManyRequests after too many of those
   */
  async signIn(credential: string, address: string): Promise<{ session: Session; cookie: string }> {
    const attempt = { address, credential, name: claimedAuditor(credential) };
    return this.sessions.open(...(await this.doors.console.admit(attempt, () => this.#open(credential), REFUSAL)));
  }

  async #open(credential: string): Promise<Opened | undefined> {
    const operator = this.operators.byToken(credential);
    if (operator) return ['operator', operator.name, operator.fingerprint];
    const auditor = await this.auditors.authenticate(credential);
    return auditor && ['auditor', auditor.id, Buffer.alloc(0)];
  }
}
