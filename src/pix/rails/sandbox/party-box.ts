import { Injectable } from '@nestjs/common';
import { PersonalDataCodec } from '../../../event-store/index.js';

/**
 * Keeps the people in the sandbox's books unreadable without MASTER_KEY. A bank at the other end keeps its own records,
 * so the key is the sandbox's and not the subject's: forgetting someone in the ledger does not reach it.
 */
@Injectable()
export class PartyBox {
  constructor(private readonly codec: PersonalDataCodec) {}

  /** @param id of the record that it stands in: elsewhere it does not open */
  seal(id: string, value: object): Buffer {
    return this.codec.sealSecret(`sandbox|${id}`, JSON.stringify(value));
  }

  open<T>(id: string, box: Buffer): T {
    return JSON.parse(this.codec.openSecret(`sandbox|${id}`, box)) as T;
  }
}
