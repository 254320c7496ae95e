import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DuplicateRow, randomPart } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import type { SentOver } from './domain/events/shared.js';
import { makeEndToEndId } from './domain/values/end-to-end-id.js';
import { PIX_RAIL, type PixRail, sentOver } from './rails/pix-rail.js';

/** What is stored of a refund or return before the rail is asked for it. */
export interface NewReturn {
  readonly returnId: string;
  readonly sentOver: SentOver;
}

/** What an identifier follows from, so that a ledger which has lost a command names its repetition alike. */
export interface Origin {
  /** The minute in the identifier. */
  readonly at: Date;
  /** A hash, at least eight bytes. */
  readonly hash: Uint8Array;
}

/**
 * Runs a command with a new identifier, and once more with another if a transaction has it already: the rail would
 * treat the second payment under it as the first.
 */
export async function withFresh<I, T>(mint: () => I, run: (identified: I) => Promise<T>): Promise<T> {
  try {
    return await run(mint());
  } catch (error) {
    if (error instanceof DuplicateRow) return run(mint());
    throw error;
  }
}

/** Mints identifiers, before a command is decided. */
@Injectable()
export class PixIdentifiers {
  readonly #ispb: string;

  constructor(
    @Inject(CONFIG) { institution }: Config,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {
    this.#ispb = institution.ispb;
  }

  /** `E…`, of a payment of ours. */
  endToEndId(partition: number): string {
    return this.#make('E', partition);
  }

  /** Of a refund or return of ours: its identifier (`D…`), and the rail that is to make it. */
  newReturn(partition: number, origin?: Origin): NewReturn {
    return { returnId: this.#make('D', partition, origin), sentOver: sentOver(this.rail) };
  }

  /** For `withFresh`: the first one follows from the origin, where there is one. */
  returnsOf(partition: number, origin: Origin | undefined): () => NewReturn {
    const origins = [origin];
    return () => this.newReturn(partition, origins.pop());
  }

  /** 128 random bits, for the address of a receipt. */
  receiptToken(): string {
    return randomBytes(16).toString('base64url');
  }

  #make(prefix: 'E' | 'D', partition: number, { at, hash }: Origin = { at: new Date(), hash: randomPart(8) }): string {
    return makeEndToEndId({ prefix, ispb: this.#ispb, at, partition, random: hash });
  }
}
