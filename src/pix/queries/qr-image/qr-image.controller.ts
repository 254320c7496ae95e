import { Controller, Get, Header, Param, Req, Res, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Answers, isKnown } from '../../../platform/http/index.js';
import { Drawings } from '../../drawing/drawings.js';
import { PublicTurns } from '../../public-turns.js';
import { GetPayableCode } from './payable-code.query.js';

/** What `qrCodeLocation` points to (contract 2.6). */
@ApiTags('Pix, public')
@Controller('pix/qrcode')
@UseInterceptors(PublicTurns)
export class QrImageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly drawings: Drawings,
  ) {}

  @Get(':transactionId')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Answers({
    summary: "The QR image of a cash-in's code, as base64 of a PNG",
    description: 'With an `ETag`: whoever has the image asks with `If-None-Match` whether the code can still be paid.',
    example: 'iVBORw0KGgoAAAANSUhEUgAA…',
    contentType: 'text/plain',
    unchanged: true,
    errors: [404, 410],
    public: true,
  })
  async getQrCode(
    @Param('transactionId') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const code = await this.queries.execute(new GetPayableCode(id));
    // The image of a code never changes, but the code can become unpayable: caches must revalidate.
    if (isKnown(request, reply, code)) return void reply.status(304);
    return this.drawings.qrImage(code);
  }
}
