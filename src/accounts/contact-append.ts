import { type Append, type NewEvent, partitionOf, RowsWanted, type SubjectRef } from '../event-store/index.js';
import { EntityNotFound } from '../platform/errors/index.js';
import { accountProjection } from './account.projection.js';
import { contactProjection } from './contact.projection.js';
import { contactKey } from './domain/secure-contact.js';
import type { ContactState } from './domain/secure-contact.decider.js';

interface Request {
  readonly accountUid: string;
  readonly actor: string;
  readonly requestId: string;
}

/**
 * A change of a contact, and of its account's row: that one counts them, so that payouts of accounts without any read
 * none.
 * @param who the contact's id, or its data subject, which only the write lane can tell the id of
 * @throws EntityNotFound for an id that can be no contact's of this account
 */
export function contactAppend(
  { accountUid, actor, requestId }: Request,
  who: string | SubjectRef,
  decide: (state: ContactState, id: string, at: Date) => readonly NewEvent[],
): Append {
  const partition = partitionOf(accountUid)!;
  if (typeof who === 'string' && partitionOf(who) !== partition) {
    throw new EntityNotFound('SecureContactEntity', 'id', who);
  }
  return {
    partition,
    reads: { accounts: [accountUid] },
    subjects: typeof who === 'string' ? [] : [who],
    decide: (rows, at, context) => {
      const id = typeof who === 'string' ? who : context.subject(who);
      const key = contactKey(accountUid, id);
      if (!context.isRead(contactProjection.name, key)) throw new RowsWanted({ [contactProjection.name]: [key] });
      const state = {
        account: rows.of(accountProjection).get(accountUid)!,
        contact: rows.of(contactProjection).get(key),
      };
      return decide(state, id, at);
    },
    metadata: { actor, requestId, correlation: accountUid },
  };
}
