import { Inject, Injectable } from '@nestjs/common';
import { partitionOf, SubjectVault } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { ExpectedPayer } from '../../domain/events/index.js';
import { txidOf, uuidOfTxid } from '../../domain/values/txid.js';
import { chargePayload, type ChargePayload, type PayableCharge } from './charge-payload.js';
import { type PayableCashIn, PayableCashIns } from './payable-cash-ins.js';

/** The charges of this service's cash-ins, as payers' banks read them. */
@Injectable()
export class OwnCharges {
  constructor(
    private readonly charges: PayableCashIns,
    private readonly vault: SubjectVault,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A charge that the rail serves has one payload, the rail's: no second one may be signed beside it.
   * @throws EntityNotFound where there is none, or the rail serves it; Gone where it can no longer be paid
   */
  async payload(txid: string, now: Date): Promise<ChargePayload> {
    const cashIn = await this.charges.get(uuidOfTxid(txid), { parameter: 'txid', value: txid }, now);
    if (!cashIn.details.location.endsWith(`/pix/payload/${txid}`)) {
      throw new EntityNotFound('TransactionEntity', 'txid', txid);
    }
    return chargePayload(await this.#open(cashIn), this.config.pixKey, now);
  }

  async #open({ transaction, details }: PayableCashIn): Promise<PayableCharge> {
    const { id, amount, orderId, stateDates } = transaction;
    const partition = partitionOf(id)!;
    const { expectedPayer, orderDescription } = details;
    const payer = expectedPayer && (await this.vault.open<ExpectedPayer>(partition, expectedPayer));
    const description = orderDescription && (await this.vault.open<string>(partition, orderDescription));
    return {
      txid: txidOf(id),
      amount,
      createdAt: new Date(stateDates.Registered!),
      expiresAt: new Date(details.expiresAt),
      payer: { name: payer?.name ?? '', taxNumber: payer?.taxNumber ?? '' },
      orderId: orderId ?? '',
      description: description ?? '',
    };
  }
}
