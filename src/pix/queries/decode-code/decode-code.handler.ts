import { Logger } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CodeReader } from '../../code-reading/code-reader.js';
import { type CodeRefusal, CodeRefused } from '../../domain/code-refused.js';
import { DecodeCode, type DecodedCode } from './decode-code.query.js';

@QueryHandler(DecodeCode)
export class DecodeCodeHandler implements IQueryHandler<DecodeCode> {
  readonly #logger = new Logger('Codes');

  constructor(private readonly codes: CodeReader) {}

  async execute({ caller, code }: DecodeCode): Promise<DecodedCode> {
    try {
      return { code, charge: await this.codes.read(caller.partnerUid, code), refusal: null };
    } catch (error) {
      if (!(error instanceof CodeRefused)) throw error;
      const { reason, detail } = error;
      this.#logger.debug({ reason, detail }, 'a code cannot be paid');
      return { code, charge: null, refusal: reason as CodeRefusal };
    }
  }
}
