import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { partitionOf, SubjectVault } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { contactKey } from '../../domain/secure-contact.js';
import { contactProjection, contactTable } from '../../contact.projection.js';
import { Registry } from '../../registry.js';
import { type SecureContactView, showContact } from './secure-contact-view.js';
import { GetContact, ListContacts } from './secure-contacts.query.js';

@QueryHandler(ListContacts)
export class ListContactsHandler implements IQueryHandler<ListContacts> {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ accountUid, partnerUid, limit, cursor }: ListContacts): Promise<Page<SecureContactView>> {
    const account = await this.registry.account(accountUid);
    if (partnerUid !== undefined && account.partnerUid !== partnerUid) {
      throw new EntityNotFound('CustomerAccountEntity', 'uid', accountUid);
    }
    const partition = partitionOf(accountUid)!;
    const list = ['contacts', accountUid];
    const after = decodeCursor(list, cursor, CURSOR_KEY.id);
    const rows = await this.database.query({
      name: 'contacts-of-account',
      text: `
        select ${contactTable.columns}
        from secure_contact
        where partition = $1 and account_uid = $2 and status = 'Registered' and id > $3
        order by id limit $4`,
      values: [partition, accountUid, after === undefined ? '' : contactKey(accountUid, after), limit + 1],
    });
    const contacts = rows.map(contactTable.parse);
    const people = await this.vault.openAll(
      partition,
      contacts.map(({ person }) => person),
    );
    const [now, limits] = [new Date(), await this.registry.payoutLimits(account)];
    const shown = contacts.map((contact, i) => showContact(contact, people[i]!, limits, now));
    return toPage(
      shown,
      limit,
      list,
      ({ id }) => id,
      (view) => view,
    );
  }
}

@QueryHandler(GetContact)
export class GetContactHandler implements IQueryHandler<GetContact> {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ accountUid, id }: GetContact): Promise<SecureContactView> {
    const account = await this.registry.account(accountUid);
    const partition = partitionOf(accountUid)!;
    const [row] = await this.database.query(contactProjection.load(partition, [contactKey(accountUid, id)]));
    if (!row) throw new EntityNotFound('SecureContactEntity', 'id', id);
    const contact = contactTable.parse(row);
    const person = await this.vault.open(partition, contact.person);
    return showContact(contact, person, await this.registry.payoutLimits(account), new Date());
  }
}
