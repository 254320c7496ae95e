import { Logger } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EntityNotFound, Gone } from '../../../platform/errors/index.js';
import { OwnCharges } from '../../charge-payload/own-charges.js';
import { type ChargeTerms, readCharge } from '../../charges-read/charge-terms.js';
import { CodeRefused } from '../../charges-read/code-refused.js';
import { ForeignCharges } from '../../charges-read/foreign-charges.js';
import { Codes } from '../../codes.js';
import type { ParsedBrCode } from '../../domain/values/br-code.js';
import { isPixKey } from '../../domain/values/pix-key.js';
import { DecodeCode, type DecodedCode } from './decode-code.query.js';

@QueryHandler(DecodeCode)
export class DecodeCodeHandler implements IQueryHandler<DecodeCode> {
  readonly #logger = new Logger('Codes');

  constructor(
    private readonly codes: Codes,
    private readonly own: OwnCharges,
    private readonly foreign: ForeignCharges,
  ) {}

  async execute({ caller, code }: DecodeCode): Promise<DecodedCode> {
    try {
      return { code, charge: await this.#read(caller.partnerUid, code), refusal: null };
    } catch (error) {
      if (!(error instanceof CodeRefused)) throw error;
      const { reason, detail } = error;
      this.#logger.debug({ reason, detail }, 'a code cannot be paid');
      return { code, charge: null, refusal: reason };
    }
  }

  async #read(partnerUid: string, code: ParsedBrCode): Promise<ChargeTerms | null> {
    switch (code.kind) {
      case 'Recurrence':
        throw new CodeRefused('QrCodeKindNotSupported');
      case 'Static':
        if (code.withdrawalFacilitator !== undefined) throw new CodeRefused('QrCodeKindNotSupported');
        if (!isPixKey(code.key)) throw new CodeRefused('QrCodeKeyInvalid');
        return null;
      case 'Dynamic':
        return readCharge(await this.#payload(partnerUid, code.location), new Date());
    }
  }

  /** What this service serves itself, it knows without asking itself. */
  async #payload(partnerUid: string, location: string): Promise<unknown> {
    const txid = this.codes.txidAt(location);
    if (txid === undefined) return this.foreign.fetch(partnerUid, location);
    try {
      return await this.own.payload(txid, new Date());
    } catch (error) {
      if (error instanceof EntityNotFound) throw new CodeRefused('QrCodeUnknown');
      if (error instanceof Gone) throw new CodeRefused('QrCodeNotActive');
      throw error;
    }
  }
}
