import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { ChargePayloadController } from './queries/charge-payload/charge-payload.controller.js';
import { PayableCashIns } from './queries/charge-payload/payable-cash-ins.js';
import { OwnCharges } from './queries/charge-payload/own-charges.js';
import { PayloadSigner } from './queries/charge-payload/payload-signer.js';
import { Drawings } from './drawing/drawings.js';
import { PublicTurns } from './public-turns.js';
import { QrImageController } from './queries/qr-image/qr-image.controller.js';
import { ReceiptController } from './queries/receipt/receipt.controller.js';
import { GetChargePayloadHandler } from './queries/charge-payload/charge-payload.handler.js';
import { GetPayableCodeHandler } from './queries/qr-image/payable-code.handler.js';
import { GetReceiptHandler } from './queries/receipt/receipt.handler.js';

/** Public routes for payers and their banks: the charge, its QR image, the receipt. */
@Module({
  imports: [AccountsModule],
  controllers: [ChargePayloadController, QrImageController, ReceiptController],
  providers: [
    OwnCharges,
    PayableCashIns,
    Drawings,
    PublicTurns,
    GetChargePayloadHandler,
    GetPayableCodeHandler,
    GetReceiptHandler,
    {
      provide: PayloadSigner,
      inject: [CONFIG],
      useFactory: ({ secrets, publicUrl }: Config) =>
        PayloadSigner.of(secrets.payloadSigningKey, `${publicUrl}/pix/jwks`),
    },
  ],
  exports: [OwnCharges],
})
export class PublicRoutesModule {}
