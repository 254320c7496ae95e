import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { ChargePayloadController } from './charge-payload/charge-payload.controller.js';
import { PayableCashIns } from './charge-payload/payable-cash-ins.js';
import { OwnCharges } from './charge-payload/own-charges.js';
import { PayloadSigner } from './charge-payload/payload-signer.js';
import { Drawings } from './drawing/drawings.js';
import { PublicTurns } from './public-turns.js';
import { QrImageController } from './qr-image/qr-image.controller.js';
import { ReceiptController } from './receipt/receipt.controller.js';
import { Receipts } from './receipt/receipts.js';

/** What payers and their banks read, without a token: the charge, its image, the receipt. */
@Module({
  imports: [AccountsModule],
  controllers: [ChargePayloadController, QrImageController, ReceiptController],
  providers: [
    OwnCharges,
    PayableCashIns,
    Drawings,
    PublicTurns,
    Receipts,
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
