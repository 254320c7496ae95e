import { Injectable } from '@nestjs/common';
import { EntityNotFound, Gone } from '../../platform/errors/index.js';
import { OwnCharges } from '../queries/charge-payload/own-charges.js';
import { CashInCodes } from '../cash-in-codes.js';
import type { ParsedBrCode } from '../domain/values/br-code.js';
import { isPixKey } from '../domain/values/pix-key.js';
import { type ChargeTerms, readCharge } from './charge-terms.js';
import { CodeRefused } from '../domain/code-refused.js';
import { ForeignCharges } from './foreign-charges.js';

/** Reads the charge of a code, from this service or another institution. */
@Injectable()
export class CodeReader {
  constructor(
    private readonly codes: CashInCodes,
    private readonly own: OwnCharges,
    private readonly foreign: ForeignCharges,
  ) {}

  /**
   * @param partnerUid the requesting partner
   * @returns `null` for a code that pays to a key, without a charge
   * @throws CodeRefused for what cannot be paid now; Overloaded
   */
  async read(partnerUid: string, code: ParsedBrCode): Promise<ChargeTerms | null> {
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

  /** A charge of this service is read without HTTP. */
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
