import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG, ConfigurationError } from '../platform/config/index.js';
import { BrCodeError, encodeDynamicBrCode } from './domain/values/br-code.js';
import { txidOf } from './domain/values/txid.js';

export interface Code {
  /** Copy-and-paste text. */
  readonly qrCode: string;
  /** Where the payer's bank fetches the charge: host and path, no scheme. */
  readonly location: string;
}

/** The image's address, contract 2.6. */
export function qrCodeLocation(publicUrl: string, transactionId: string): string {
  return `${publicUrl}/pix/qrcode/${transactionId}`;
}

const ANY_ID = '00000000-0000-7000-8000-000000000000';

/** Makes the codes of cash-ins: dynamic, each with a payload location of ours. The payee named in them is the institution. */
@Injectable()
export class Codes {
  readonly #base: string;

  /** @throws ConfigurationError when no code can be made of the settings: the start ends, instead of every cash-in */
  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.#base = `${config.publicUrl.replace(/^https?:\/\//, '')}/pix/payload/`;
    try {
      this.make(ANY_ID, 1n);
    } catch (error) {
      if (!(error instanceof BrCodeError)) throw error;
      throw new ConfigurationError([`PUBLIC_URL, INSTITUTION_NAME or MERCHANT_CITY: ${error.message}`]);
    }
  }

  /** @param amount centavos */
  make(transactionId: string, amount: bigint): Code {
    const location = `${this.#base}${txidOf(transactionId)}`;
    const { institution, merchantCity } = this.config;
    return {
      location,
      qrCode: encodeDynamicBrCode({ location, merchantName: institution.name, merchantCity, amount }),
    };
  }
}
