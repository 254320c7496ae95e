import { Injectable } from '@nestjs/common';
import { PersonalDataCodec } from '../../../event-store/index.js';

/**
 * Encrypts personal data in the sandbox's books with a key of MASTER_KEY. Another bank keeps its own records, so the
 * key is the sandbox's, not the subject's: forgetting a person in the ledger does not change them.
 */
@Injectable()
export class PartyBox {
  constructor(private readonly codec: PersonalDataCodec) {}

  /** @param id of its record: in another record it cannot be opened */
  seal(id: string, value: object): Buffer {
    return this.codec.sealSecret(`sandbox|${id}`, JSON.stringify(value));
  }

  open<T>(id: string, box: Buffer): T {
    return JSON.parse(this.codec.openSecret(`sandbox|${id}`, box)) as T;
  }
}
