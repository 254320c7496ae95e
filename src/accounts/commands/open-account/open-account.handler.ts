import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, personal } from '../../../event-store/index.js';
import { taxpayer } from '../../domain/subjects.js';
import { Database } from '../../../platform/database/index.js';
import { accountDigit, BRANCH } from '../../domain/account-number.js';
import { AccountOpened } from '../../domain/account.events.js';
import { Registry } from '../../registry.js';
import { OpenAccount } from './open-account.command.js';

@CommandHandler(OpenAccount)
export class OpenAccountHandler implements ICommandHandler<OpenAccount> {
  constructor(
    private readonly ledger: Ledger,
    private readonly database: Database,
    private readonly registry: Registry,
  ) {}

  async execute({ partnerUid, details, actor, requestId }: OpenAccount): Promise<{ uid: string }> {
    const { homePartition } = await this.registry.partner(partnerUid);
    const uid = newId(homePartition);
    const subject = taxpayer(partnerUid, details.taxNumber);
    const number = await this.#nextNumber();
    const opened = AccountOpened.create(`account-${uid}`, 1, {
      uid,
      partnerUid,
      holder: personal(subject, {
        name: details.name,
        taxNumber: details.taxNumber,
        branch: BRANCH,
        number,
        digit: accountDigit(number),
      }),
      type: details.type ?? 'PaymentAccount',
      class: details.class ?? 'Standard',
    });
    await this.ledger.execute({
      partition: homePartition,
      reads: {},
      creates: { accounts: [uid] },
      subjects: [subject],
      decide: () => [opened],
      metadata: { actor, requestId, correlation: uid },
    });
    return { uid };
  }

  /**
   * From a sequence: a number is never given twice, though one may be skipped. PostgreSQL logs many numbers at once,
   * and only who has it do so waits for the disk: with the message everybody does. Without that, a number that is
   * appended after a crash could be given again.
   */
  async #nextNumber(): Promise<string> {
    const [row] = await this.database.query<{ number: string }>({
      name: 'account-number-next',
      text: `
        select nextval('account_number')::text as number, pg_logical_emit_message(true, 'account number', '')`,
    });
    return row!.number;
  }
}
