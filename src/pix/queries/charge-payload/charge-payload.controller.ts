import { Controller, Get, Header, Param, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answers } from '../../../platform/http/index.js';
import { PublicTurns } from '../../public-turns.js';
import { KeySet } from './jwks.answer.js';
import { GetChargePayload } from './charge-payload.query.js';
import { PayloadSigner } from './payload-signer.js';

const KEY_EXAMPLE = { kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: '…', alg: 'ES256', use: 'sig' };

/** Routes for payers' banks: the charge of a code, and the key that verifies its signature. */
@ApiTags('Pix, public')
@Controller('pix')
export class ChargePayloadController {
  constructor(
    private readonly queries: QueryBus,
    private readonly signer: PayloadSigner,
  ) {}

  @Get('payload/:txid')
  @UseInterceptors(PublicTurns)
  // It has the time of presentation, and must not be served after the payment.
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
    return this.signer.sign(await this.queries.execute(new GetChargePayload(txid)));
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
}
