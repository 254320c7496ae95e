import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type DecideContext,
  Ledger,
  type LoadedRows,
  type NewEvent,
  partitionOf,
  RowsWanted,
  type SubjectRef,
  taxpayer,
} from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { accountProjection } from '../../account.projection.js';
import type { ChangeTime } from '../../domain/limit-terms.js';
import { contactKey } from '../../domain/secure-contact.js';
import {
  changeContact,
  type ContactState,
  registerContact,
  removeContact,
} from '../../domain/secure-contact.decider.js';
import { contactProjection } from '../../payees.projections.js';
import { Registry } from '../../registry.js';
import { ChangeContact, RegisterContact, RemoveContact } from './secure-contacts.commands.js';

type Request = Pick<ChangeContact, 'accountUid' | 'actor' | 'requestId'>;
type Decide = (state: ContactState, id: string, time: ChangeTime) => readonly NewEvent[];

/** Contacts change with their account's row: it counts them, so that payouts of accounts without any read none. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param who the contact's id, or its data subject */
  async change({ accountUid, actor, requestId }: Request, who: string | SubjectRef, decide: Decide): Promise<void> {
    // Only accounts of a partner's own have any.
    await this.registry.facts(accountUid);
    const delayMs = this.config.limitRaiseDelaySeconds * 1000;
    await this.ledger.execute({
      partition: partitionOf(accountUid)!,
      reads: { accounts: [accountUid] },
      subjects: typeof who === 'string' ? [] : [who],
      decide: (rows, at, context) => {
        const id = typeof who === 'string' ? who : context.subject(who);
        return decide(stateOf(rows, context, accountUid, id), id, { at, delayMs });
      },
      metadata: { actor, requestId, correlation: accountUid },
    });
  }
}

/** @throws RowsWanted for the contact's row */
function stateOf(rows: LoadedRows, context: DecideContext, accountUid: string, id: string): ContactState {
  const key = contactKey(accountUid, id);
  if (!context.isRead(contactProjection.name, key)) throw new RowsWanted({ [contactProjection.name]: [key] });
  return { account: rows.of(accountProjection).get(accountUid)!, contact: rows.of(contactProjection).get(key) };
}

@CommandHandler(RegisterContact)
export class RegisterContactHandler implements ICommandHandler<RegisterContact> {
  constructor(
    private readonly changes: ContactChanges,
    private readonly registry: Registry,
  ) {}

  async execute(command: RegisterContact): Promise<string> {
    const { accountUid, contact } = command;
    const { partnerUid } = await this.registry.facts(accountUid);
    const person = taxpayer(partnerUid, contact.taxNumber);
    let registered = '';
    await this.changes.change(command, person, (state, id, time) => {
      registered = id;
      return registerContact(state, contact, { id, ref: person }, time);
    });
    return registered;
  }
}

@CommandHandler(ChangeContact)
export class ChangeContactHandler implements ICommandHandler<ChangeContact> {
  constructor(private readonly changes: ContactChanges) {}

  async execute(command: ChangeContact): Promise<void> {
    await this.changes.change(command, command.id, (state, id, time) => changeContact(state, id, command.asked, time));
  }
}

@CommandHandler(RemoveContact)
export class RemoveContactHandler implements ICommandHandler<RemoveContact> {
  constructor(private readonly changes: ContactChanges) {}

  async execute(command: RemoveContact): Promise<void> {
    await this.changes.change(command, command.id, removeContact);
  }
}
