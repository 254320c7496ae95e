import { Query } from '@nestjs/cqrs';
import type { Session } from '../../auth/index.js';
import type { SessionView } from './session.answer.js';

/** Who is signed in, and what this service has to show them. */
export class ShowSession extends Query<SessionView> {
  constructor(readonly session: Session) {
    super();
  }
}
