import { Controller, Get, Header, Inject, Param, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { partitionOf, SubjectVault } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import { Answers } from '../../platform/http/index.js';
import type { ExpectedPayer } from '../domain/events/index.js';
import { txidOf, uuidOfTxid } from '../domain/values/txid.js';
import { PublicTurns } from '../public-turns.js';
import { chargePayload, type PayableCharge } from './charge-payload.js';
import { KeySet } from './jwks.answer.js';
import { PayableCashIns, type PayableCashIn } from './payable-cash-ins.js';
import { PayloadSigner } from './payload-signer.js';

const KEY_EXAMPLE = { kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: '…', alg: 'ES256', use: 'sig' };

/** What payers' banks fetch: the charge behind a code, and the key that its signature is verified with. */
@ApiTags('Pix, public')
@Controller('pix')
export class ChargePayloadController {
  constructor(
    private readonly charges: PayableCashIns,
    private readonly signer: PayloadSigner,
    private readonly vault: SubjectVault,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('payload/:txid')
  @UseInterceptors(PublicTurns)
  // The moment of presentation is in it, and it must not outlive a payment.
  @Header('cache-control', 'no-store')
  @Header('content-type', 'application/jose')
  @Answers({
    summary: 'The signed charge behind a code (BCB, API Pix, CobPayload)',
    description: 'A JWS in compact serialization, signed with a key of /pix/jwks. The address is the secret.',
    example: 'eyJhbGciOiJFUzI1NiIsImtpZCI6Ii4uLiIsImprdSI6Ii4uLiIsInR5cCI6IkpPU0UifQ.eyJyZXZpc2FvIjowfQ.c2lnbmF0dXJl',
    contentType: 'application/jose',
    errors: [404, 410],
    public: true,
  })
  async getChargePayload(@Param('txid') txid: string): Promise<string> {
    const now = new Date();
    const cashIn = await this.charges.get(uuidOfTxid(txid), { parameter: 'txid', value: txid }, now);
    // A charge that the rail serves has one payload, the rail's: no second one may be signed beside it.
    if (!cashIn.details.location.endsWith(`/pix/payload/${txid}`))
      throw new EntityNotFound('TransactionEntity', 'txid', txid);
    return this.signer.sign(chargePayload(await this.#open(cashIn), this.config.pixKey, now));
  }

  @Get('jwks')
  @Header('cache-control', 'public, max-age=300')
  @Header('content-type', 'application/jwk-set+json')
  @Answers({
    summary: 'The public key that charges are signed with (RFC 7517)',
    answer: KeySet,
    bare: true,
    contentType: 'application/jwk-set+json',
    example: { keys: [KEY_EXAMPLE] },
    public: true,
  })
  getJwks() {
    return this.signer.jwks();
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
