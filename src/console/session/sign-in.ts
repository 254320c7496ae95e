import { Injectable } from '@nestjs/common';
import { Auditors } from '../../audit/index.js';
import { LockOut, Operators, type Session, Sessions } from '../../auth/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';

/** Failures at the console are counted together, for each address. */
const DOOR = 'console';

/** Exchanges a credential for a session. Nothing of it is logged; sessions are not events: they change nothing. */
@Injectable()
export class SignIn {
  constructor(
    private readonly operators: Operators,
    private readonly auditors: Auditors,
    private readonly sessions: Sessions,
    private readonly lockOut: LockOut,
  ) {}

  /**
   * @param credential an operator's token or an auditor's credential; which one shows by itself
   * @throws AuthenticationError for neither. @throws TooManyRequests after too many of those
   */
  async signIn(credential: string, address: string): Promise<{ session: Session; cookie: string }> {
    this.lockOut.assertOpen(DOOR, address);
    const operator = this.operators.byToken(credential);
    const auditor = await this.auditors.authenticate(credential);
    if (!operator && !auditor) {
      this.lockOut.failed(DOOR, address);
      throw new AuthenticationError('This is neither an operator token nor the credential of an auditor in use.');
    }
    this.lockOut.succeeded(DOOR, address);
    return operator
      ? this.sessions.open('operator', operator.name, operator.fingerprint)
      : this.sessions.open('auditor', auditor!.id, Buffer.alloc(0));
  }
}
