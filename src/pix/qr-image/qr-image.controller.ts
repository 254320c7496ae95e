import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers } from '../../platform/http/index.js';
import { PayableCashIns } from '../charge-payload/payable-cash-ins.js';
import { qrImage } from './qr-image.js';

/** What `qrCodeLocation` points to (contract 2.6). */
@ApiTags('Pix, public')
@Controller('pix/qrcode')
export class QrImageController {
  constructor(private readonly charges: PayableCashIns) {}

  @Get(':transactionId')
  @Header('cache-control', 'no-store')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Answers({
    summary: "The QR image of a cash-in's code, as base64 of a PNG",
    status: 200,
    example: 'iVBORw0KGgoAAAANSUhEUgAA…',
    contentType: 'text/plain',
    errors: [404, 410],
    public: true,
  })
  async image(@Param('transactionId') id: string): Promise<string> {
    const { details } = await this.charges.get(id, { parameter: 'id', value: id }, new Date());
    return (await qrImage(details.qrCode)).toString('base64');
  }
}
