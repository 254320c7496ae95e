import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, personal, PersonalDataCodec, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { taxpayer } from '../../domain/subjects.js';
import { ConflictError } from '../../../platform/errors/index.js';
import { HomePartitions } from '../../home-partitions.js';
import { PartnerRegistered } from '../../domain/partner.events.js';
import { partnerTaxNumberProjection } from '../../partner.projection.js';
import { WebhookSecrets } from '../../webhook-secrets.js';
import { RegisterPartner, type RegisteredPartner } from './register-partner.command.js';

@CommandHandler(RegisterPartner)
export class RegisterPartnerHandler implements ICommandHandler<RegisterPartner> {
  constructor(
    private readonly ledger: Ledger,
    private readonly codec: PersonalDataCodec,
    private readonly homes: HomePartitions,
    private readonly webhookSecrets: WebhookSecrets,
  ) {}

  async execute({ partnerName, taxNumber, actor, requestId }: RegisterPartner): Promise<RegisteredPartner> {
    const uid = newId(REGISTRY_PARTITION);
    const subject = taxpayer(uid, taxNumber);
    const taxNumberLookup = this.codec.lookupOf({ clear: `partner|${taxNumber}` }).toString('hex');
    const homePartition = await this.homes.emptiest();
    const secret = this.webhookSecrets.make();
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { partnerTaxNumbers: [taxNumberLookup] },
      creates: { partners: [uid] },
      subjects: [subject],
      secrets: [secret.stored],
      decide: (rows) => {
        const registered = rows.of(partnerTaxNumberProjection).get(taxNumberLookup);
        if (registered) {
          throw new ConflictError(
            'TaxNumberAlreadyRegistered',
            'A partner with this tax number is registered already.',
            // Where the first answer was lost, this is the partner that it made.
            { uid: registered.partnerUid },
          );
        }
        const holder = personal(subject, { name: partnerName, taxNumber });
        const webhookSecretId = secret.stored.id;
        return [
          PartnerRegistered.create(`partner-${uid}`, 1, {
            uid,
            homePartition,
            holder,
            taxNumberLookup,
            webhookSecretId,
          }),
        ];
      },
      metadata: { actor, requestId, correlation: uid },
    });
    return { uid, name: partnerName, webhookSecret: secret.text };
  }
}
