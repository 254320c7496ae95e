import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { type Config, CONFIG } from '../../platform/config/index.js';
import type { DeliveryStatus } from '../domain/delivery.js';

/** What became of a delivery: it is in no event. */
export interface DeliveryState {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly tries: number;
  /** Position of the newest redelivery request; 0 for none. */
  readonly redeliveryPosition: bigint;
}

export interface StoredState extends DeliveryState {
  readonly seal: Buffer | null;
}

const SEAL_BYTES = 16;

/**
 * Seals what became of deliveries, with `KEY_PEPPER`: who changes a row with the database's password, so that a partner
 * is not told, cannot seal it. Each redelivery has its own position, so that no earlier seal fits after it.
 */
@Injectable()
export class DeliverySeals {
  readonly #pepper: KeyObject;

  constructor(@Inject(CONFIG) { secrets }: Pick<Config, 'secrets'>) {
    this.#pepper = createSecretKey(secrets.keyPepper);
  }

  of({ id, status, tries, redeliveryPosition }: DeliveryState): Buffer {
    const text = `webhook-delivery|${id}|${status}|${tries}|${redeliveryPosition}`;
    return createHmac('sha256', this.#pepper).update(text).digest().subarray(0, SEAL_BYTES);
  }

  /** Whether it is as this service left it. One that is to be tried for the first time needs no seal. */
  fits(state: StoredState): boolean {
    const { status, tries, seal } = state;
    if ((status === 'Pending' || status === 'Retrying') && tries === 0) return true;
    return seal !== null && this.of(state).equals(seal);
  }
}

/** The columns of a row that are sealed, and the seal. */
export const STATE_COLUMNS = 'id, status, tries, redelivery_position, seal';

/** @param row with `STATE_COLUMNS` */
export function parseState(row: QueryResultRow): StoredState {
  return {
    id: row.id as string,
    status: row.status as DeliveryStatus,
    tries: row.tries as number,
    redeliveryPosition: BigInt(row.redelivery_position as string),
    seal: row.seal as Buffer | null,
  };
}
