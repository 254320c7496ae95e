import type { components, operations, webhooks } from './schema.js';

/**
 * Inputs and outputs, from the generated `schema.ts`. Amounts are texts in reais with a dot and two
 * decimals, `"10.50"` (`toCentavos` makes them numbers that can be summed); times are ISO 8601 texts in UTC.
 */
type Bodies = components['schemas'];

/** Where a route answers 201, its 200 is that of a dry run. */
type Success<Responses> = Responses extends { 201: infer R }
  ? R
  : Responses extends { 200: infer R }
    ? R
    : Responses extends { 202: infer R }
      ? R
      : never;
/** The `data` of an operation's success answer. */
type DataOf<Operation extends keyof operations> =
  Success<operations[Operation]['responses']> extends { content: { 'application/json': { data: infer Data } } }
    ? Exclude<Data, Bodies['DryRunView'] | Bodies['DryRunBatchView']>
    : never;
/** The query of a list, without the fields that `Pages` sets. */
type FiltersOf<Operation extends keyof operations> = Omit<
  NonNullable<operations[Operation]['parameters']['query']>,
  'cursor'
>;

export type FaultDetail = Bodies['FaultDetailBody'];

export type LoginAnswer = DataOf<'logIn'>;

export type Account = DataOf<'getAccount'>;
export type StatementEntry = DataOf<'getStatement'>['items'][number];
export type StatementFilters = FiltersOf<'getStatement'>;

export type PayoutLimits = DataOf<'getPayoutLimits'>;
export type SecureContact = DataOf<'listContacts'>['items'][number];

export type TransferRequest = Bodies['RequestTransferDto'];
export type Transfer = DataOf<'requestTransfer'>;
export type TransferBatchRequest = Bodies['RequestTransfersDto'];
export type TransferBatch = DataOf<'requestTransfers'>;

export type CashOutRequest = Bodies['RequestCashOutDto'];
export type CreatedCashOut = DataOf<'requestCashOut'>;
export type CashOutBatchRequest = Bodies['RequestCashOutsDto'];
export type CashOutBatch = DataOf<'requestCashOuts'>;
export type CashInRequest = Bodies['RequestCashInDto'];
export type CreatedCashIn = DataOf<'requestCashIn'>;
export type RefundRequest = Bodies['RefundCashInDto'];
export type CreatedRefund = DataOf<'refundCashIn'>;

export type DecodedCode = DataOf<'decodeCode'>;

/** A report of fraud about a deposit. */
export type Infraction = DataOf<'readInfraction'>;
export type InfractionFilters = FiltersOf<'listInfractions'>;
export type DefenceRequest = Bodies['DefenceDto'];
/** What was asked back of a payout. */
export type Recovery = DataOf<'readRecovery'>;
export type RecoveryRequest = Bodies['RecoveryDto'];

export type ScheduleRequest = Bodies['CreateScheduleDto'];
export type Schedule = DataOf<'getSchedule'>;

/** What a command would do. */
export type DryRunView = Bodies['DryRunView'];
export type DryRunBatchView = Bodies['DryRunBatchView'];
export type PayoutFileDryRunView = Bodies['PayoutFileDryRunView'];

/** States of a transaction; all but `Scheduled` and `Registered` are final. */
export type TransactionState = 'Scheduled' | 'Registered' | 'Completed' | 'Error' | 'Reversed' | 'Cancelled';
export type TransactionFilters = FiltersOf<'listTransactions'>;

/** `payment` of a cash-in. */
export interface CashInPayment {
  /** The copy-and-paste code. */
  readonly qrCode: string;
  /** URL of the base64 text of its image. */
  readonly qrCodeLocation: string;
  /** What blocked the deposit on its arrival, and until when at most. */
  readonly hold?: { readonly id: string; readonly expiresAt: string };
  /** Who paid, by the rail's notification alone: it decides nothing. Unknown fields are `""`. */
  readonly payerTold?: { readonly name: string; readonly cpf: string; readonly ispb: string };
}

/** `payment` of a cash-out. */
export interface CashOutPayment {
  readonly method: 'Account' | 'Key' | 'KeyAndAccount' | 'QrCode';
  readonly key: { readonly type: string; readonly value: string } | null;
  readonly recipient: {
    readonly name: string;
    readonly cpf: string;
    readonly account: Readonly<Record<'ispb' | 'branch' | 'number' | 'digit' | 'type', string>> | null;
  };
  /** Present where the account was paid and the key was not compared with it. */
  readonly keyChecked?: false;
  /** Why it failed, where the rail told that after the end. */
  readonly reasonTold?: string;
}

type ReadTransaction = DataOf<'getTransaction'>;

/** A transaction as it is read. OpenAPI 3.0 cannot express that `payment` depends on the type. */
export type Transaction = Omit<ReadTransaction, 'payment' | 'transaction'> & {
  readonly transaction: Omit<ReadTransaction['transaction'], 'state' | 'stateDates' | 'type'> & {
    readonly type: 'Transfer' | 'CashIn' | 'CashOut' | 'Refund';
    readonly state: TransactionState;
    /** When each state was entered. */
    readonly stateDates: Readonly<Partial<Record<TransactionState, string>>>;
  };
  /** A cash-in's has `qrCode`, a cash-out's `recipient`; transfers and refunds have none. */
  readonly payment: CashInPayment | CashOutPayment | null;
};

/** A file of payouts, and how far it is. */
export type PayoutFile = DataOf<'getPayoutFile'>;

/** What became of a line of a file. */
export interface PayoutFileResult {
  /** From 1; the header of a CSV is the first. */
  readonly line: number;
  readonly orderId: string;
  readonly value: string;
  readonly state: TransactionState;
  /** `null` for a line that was refused when it was requested. */
  readonly transactionId: string | null;
  readonly endToEndId: string | null;
  /** The error as the single route answers it, or the `reason` for which the payout was not carried out. */
  readonly error: Readonly<Record<string, unknown>> | null;
}

export type Delivery = DataOf<'listDeliveries'>['items'][number];
export type DeliveryFilters = FiltersOf<'listDeliveries'>;
export type TestWebhookRequest = Bodies['WebhookAddressDto'];
export type AccountWebhookRequest = Bodies['WebhookAddressDto'];
export type AccountWebhook = DataOf<'getAccountWebhook'>;
export type AcceptedDelivery = DataOf<'testWebhook'>;

export type SandboxPaymentRequest = Bodies['SandboxPaymentDto'];
export type SandboxPayment = DataOf<'simulatePayment'>;

/** The counterparty of a webhook; unknown fields are `""`. */
export interface NotifiedParty {
  readonly name: string;
  readonly taxNumber: string;
  readonly bankCode: string;
  readonly accountAgency: string;
  readonly accountNumber: string;
  readonly accountDigit: string;
  readonly accountType: string;
}

interface NotificationBase {
  /** Identifier of the transaction: that of the creation's answer. */
  readonly id: string;
  /** `Registered` is told only of a cash-out that was scheduled. */
  readonly transactionState: Exclude<TransactionState, 'Scheduled'>;
  readonly transactionDate: string;
  readonly transactionAmount: string;
  /** `Debit` for a cash-out, `Credit` for a cash-in; for refunds the other way round. */
  readonly transactionType: 'Debit' | 'Credit';
  readonly transactionPaymentType: string;
  readonly transactionOrderId: string;
  readonly transactionOrderDescription: string;
  readonly transactionCharges: string;
  readonly webhookUrl: string;
  /** Address of the receipt, of a completed transaction; else `""`. */
  readonly transactionReceipt: string;
  readonly transactionReceiptDate: string | null;
  /** EndToEndId; else `""`. */
  readonly transactionReceiptVoucher: string;
  readonly stateRegisteredDate: string | null;
  readonly stateCompletedDate: string | null;
  readonly stateErrorDate?: string;
  readonly stateErrorCause?: string;
  readonly stateReversedDate?: string;
  readonly stateCancelledDate?: string;
}

/** What a webhook carries: `payer` of a cash-in, `recipient` of a cash-out. */
export type WebhookNotification = NotificationBase &
  (
    | { readonly payer: NotifiedParty; readonly recipient?: undefined }
    | { readonly recipient: NotifiedParty; readonly payer?: undefined }
  );

/** A hold on an account's money. */
export type Hold = DataOf<'listHolds'>['items'][number];

/**
 * What a webhook of an account carries: a hold after what happened to it, a report (MED) or a recovery, a scheduled
 * transfer whose time came, or a file that has ended. Types may be added: ignore those that you do not know.
 */
export type AccountNotification = Extract<BodyOf<webhooks[keyof webhooks]['post']>, { type: string; data: object }>;

type BodyOf<Post> = Post extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never;
