import { Query } from '@nestjs/cqrs';
import type { Session } from '../../auth/index.js';
import type { SessionView } from './session.answer.js';

/** The session: who is signed in, and the features of this service. */
export class ShowSession extends Query<SessionView> {
  constructor(readonly session: Session) {
    super();
  }
}
