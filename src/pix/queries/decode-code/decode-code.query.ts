import { Query } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { ChargeTerms } from '../../code-reading/charge-terms.js';
import type { CodeRefusal } from '../../domain/code-refused.js';
import type { ParsedBrCode } from '../../domain/values/br-code.js';

/** A decoded code, with its charge where that could be read. */
export interface DecodedCode {
  readonly code: ParsedBrCode;
  readonly charge: ChargeTerms | null;
  /** Why it cannot be paid; `null` where it can. */
  readonly refusal: CodeRefusal | null;
}

/** Reads a copy-and-paste code, and fetches its charge. Pays nothing. */
export class DecodeCode extends Query<DecodedCode> {
  constructor(
    readonly caller: Principal,
    readonly code: ParsedBrCode,
  ) {
    super();
  }
}
