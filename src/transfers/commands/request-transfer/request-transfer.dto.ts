import { amountAboveZero, identifier, Optional, Required, text } from '../../../platform/http/index.js';

/** Contract 2.2. */
export class RequestTransferDto {
  @Required(
    {
      example: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
      description: 'UID of the destination account, from the list of accounts',
    },
    identifier,
  )
  refAccountCredit: string;

  @Required(
    { example: '10.50', description: 'Amount, with a dot and at most two decimals' },
    amountAboveZero('TransferAmountMustBeGreaterThanZero'),
  )
  transferAmount: string;

  @Optional({ example: 'Rent', description: 'Free description, at most 140 characters' }, text({ maximum: 140 }))
  transferDescription?: string;
}
