import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DuplicateRow } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { makeEndToEndId } from './domain/values/end-to-end-id.js';

/**
 * Runs a command with a new identifier, and once more with another where a transaction has that one already: the rail
 * would take the second payment under it for the first.
 */
export async function withFresh<T>(mint: () => string, run: (identifier: string) => Promise<T>): Promise<T> {
  try {
    return await run(mint());
  } catch (error) {
    if (error instanceof DuplicateRow) return run(mint());
    throw error;
  }
}

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
