import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG, ConfigurationError } from '../platform/config/index.js';
import { BrCodeError, encodeDynamicBrCode } from './domain/values/br-code.js';
import { txidOf } from './domain/values/txid.js';

/** The image's address, contract 2.6. */
export function qrCodeLocation(publicUrl: string, transactionId: string): string {
  return `${publicUrl}/pix/qrcode/${transactionId}`;
}

const ANY_ID = '00000000-0000-7000-8000-000000000000';

/** Makes the codes of cash-ins: dynamic ones. The payee named in them is the institution. */
@Injectable()
export class CashInCodes {
  readonly #base: string;

  /** @throws ConfigurationError when no code can be made of the settings: the start fails, not every cash-in */
  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.#base = `${config.publicUrl.replace(/^https?:\/\//, '')}/pix/payload/`;
    try {
      this.encode(this.locationOf(ANY_ID), 1n);
    } catch (error) {
      if (!(error instanceof BrCodeError)) throw error;
      throw new ConfigurationError([`PUBLIC_URL, INSTITUTION_NAME or MERCHANT_CITY: ${error.message}`]);
    }
  }

  /** Location of the signed charge of a cash-in: host and path, no scheme. */
  locationOf(transactionId: string): string {
    return `${this.#base}${txidOf(transactionId)}`;
  }

  /** The txid of the charge at a location; `undefined` for an address that is not ours. */
  txidAt(location: string): string | undefined {
    return location.startsWith(this.#base) ? location.slice(this.#base.length) : undefined;
  }

  /**
   * The copy-and-paste text that leads to a charge.
   * @param location host and path, no scheme
   * @param amount centavos
   */
  encode(location: string, amount: bigint): string {
    const { institution, merchantCity } = this.config;
    return encodeDynamicBrCode({ location, merchantName: institution.name, merchantCity, amount });
  }
}
