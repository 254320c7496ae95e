import { Controller, Get, Header, Param, StreamableFile, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answers } from '../../../platform/http/index.js';
import { Drawings } from '../../drawing/drawings.js';
import { PublicTurns } from '../../public-turns.js';
import { GetReceipt } from './receipt.query.js';

/** What `transactionReceipt` points to (contract 2.7). */
@ApiTags('Pix, public')
@Controller('pix/receipts')
@UseInterceptors(PublicTurns)
export class ReceiptController {
  constructor(
    private readonly queries: QueryBus,
    private readonly drawings: Drawings,
  ) {}

  @Get(':transactionId/:token')
  // The address is the secret: it must neither be kept by a cache, nor travel in a Referer, nor be found by a search.
  @Header('cache-control', 'private, no-store')
  @Header('referrer-policy', 'no-referrer')
  @Header('x-robots-tag', 'noindex')
  @Header('content-type', 'application/pdf')
  @Answers({
    summary: 'Receipt of a completed transaction, as PDF',
    description: 'The address comes in webhooks, as transactionReceipt. Tax numbers are masked.',
    example: '%PDF-1.3 …',
    contentType: 'application/pdf',
    errors: [404],
    public: true,
  })
  async getReceipt(@Param('transactionId') id: string, @Param('token') token: string): Promise<StreamableFile> {
    const receipt = await this.queries.execute(new GetReceipt(id, token));
    const pdf = await this.drawings.receiptPdf(receipt);
    return new StreamableFile(pdf, {
      type: 'application/pdf',
      length: pdf.length,
      disposition: `inline; filename="comprovante-${receipt.transactionId}.pdf"`,
    });
  }
}
