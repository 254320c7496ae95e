import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../platform/config/index.js';
import { makeEndToEndId } from './domain/values/end-to-end-id.js';

/** Mints what must be made once, before a command is decided. */
@Injectable()
export class PixIdentifiers {
  readonly #ispb: string;

  constructor(@Inject(CONFIG) { institution }: Config) {
    this.#ispb = institution.ispb;
  }

  /** `E…`, of a payment of ours. */
  endToEndId(partition: number): string {
    return this.#make('E', partition);
  }

  /** `D…`, of money that we give back. */
  returnId(partition: number): string {
    return this.#make('D', partition);
  }

  /** 128 random bits, for the address of a receipt. */
  receiptToken(): string {
    return randomBytes(16).toString('base64url');
  }

  #make(prefix: 'E' | 'D', partition: number): string {
    return makeEndToEndId({ prefix, ispb: this.#ispb, at: new Date(), partition, random: randomBytes(8) });
  }
}
