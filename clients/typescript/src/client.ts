import { type CallOptions, type CommandOptions, type CommandResult, type PreviewOptions, resultOf } from './calls.js';
import { followFile, type FollowOptions, resultsOf } from './payout-files.js';
import { type Page, Pages } from './pages.js';
import { type Call, Transport } from './transport.js';
import type { TransportOptions } from './transport-options.js';
import type * as t from './types.js';

export type PaymentsClientOptions = TransportOptions;

const TRANSFER = '/partners-int/accounts/transfer';
const TRANSFER_BATCH = '/partners-int/accounts/transfers/batch';
const CASH_OUT = '/partners-int/accounts/pix/cashout';
const CASH_OUT_BATCH = '/partners-int/accounts/pix/cashouts/batch';
const CASH_IN = '/partners-int/accounts/pix/cashin';
const DECODE = '/partners-int/accounts/pix/qrcode/decode';
const MED = '/partners-int/med';
const RECOVERIES = '/partners-int/recoveries';
const SCHEDULES = '/partners-int/accounts/schedules';
const FILES = '/partners-int/payouts/files';

/**
 * The service for one access key: the key's account is the account of every call. It logs in when a call needs it, and
 * keeps no connection of its own: there is nothing to close. `preview…` tells what the command of that name would do on
 * the state of the moment, or throws its refusal, and keeps nothing.
 */
export class PaymentsClient {
  readonly #transport: Transport;

  constructor(options: PaymentsClientOptions) {
    this.#transport = new Transport(options);
  }

  readonly accounts = {
    /** The partner's accounts, the key's own among them (`current`). */
    list: (filters: { limit?: number } = {}, options?: CallOptions): Pages<t.Account> =>
      this.#pages('/partners-int/accounts', filters, options),
    get: async (uid: string, options?: CallOptions): Promise<t.Account> =>
      this.#read(`/partners-int/accounts/${segment(uid)}`, options),
    /** Entries on `available`, newest first. Eventually consistent, normally within a second. */
    statement: (uid: string, filters: t.StatementFilters = {}, options?: CallOptions): Pages<t.StatementEntry> =>
      this.#pages(`/partners-int/accounts/${segment(uid)}/statement`, filters, options),
    /** What the account may pay out: limit, used, left, until when, and what waits to be raised. */
    limits: async (uid: string, options?: CallOptions): Promise<t.PayoutLimits> =>
      this.#read(`/partners-int/accounts/${segment(uid)}/limits`, options),
    /** Payees with limits of their own, newest first. */
    contacts: (uid: string, filters: { limit?: number } = {}, options?: CallOptions): Pages<t.SecureContact> =>
      this.#pages(`/partners-int/accounts/${segment(uid)}/contacts`, filters, options),
    /** What blocks money of the account, newest first. */
    holds: (uid: string, filters: { limit?: number } = {}, options?: CallOptions): Pages<t.Hold> =>
      this.#pages(`/partners-int/accounts/${segment(uid)}/holds`, filters, options),
  };

  readonly transfers = {
    /** Moves money to another account of the same partner. It settles at once, or at the time of `scheduledFor`. */
    create: async (body: t.TransferRequest, options?: CommandOptions): Promise<CommandResult<t.Transfer>> =>
      this.#command(TRANSFER, body, options),
    previewCreate: async (body: t.TransferRequest, options?: PreviewOptions): Promise<t.DryRunView> =>
      this.#preview(TRANSFER, body, options),
    /**
     * Up to 500 transfers at once, each with a key of its own. Look at each item's `statusCode`: an item that is
     * refused throws nothing, unless the batch is atomic: then the error has them all (`OperationError.batch`). An item
     * of status 500 or 503 (after retries) may have been done: retry it with its key, never with another.
     */
    createBatch: async (
      body: t.TransferBatchRequest,
      options?: CommandOptions,
    ): Promise<CommandResult<t.TransferBatch>> => this.#batch(TRANSFER_BATCH, body, options),
    /** Each item on what those before it would leave. */
    previewCreateBatch: async (body: t.TransferBatchRequest, options?: PreviewOptions): Promise<t.DryRunBatchView> =>
      this.#preview(TRANSFER_BATCH, body, options),
  };

  readonly pix = {
    /** Pays by Pix: by key, by bank account, or by a key that must belong to an account; the body selects which. */
    cashOut: async (body: t.CashOutRequest, options?: CommandOptions): Promise<CommandResult<t.CreatedCashOut>> =>
      this.#command(CASH_OUT, body, options),
    previewCashOut: async (body: t.CashOutRequest, options?: PreviewOptions): Promise<t.DryRunView> =>
      this.#preview(CASH_OUT, body, options),
    /** Up to 500 payouts at once, each with a key of its own. Look at each item's `statusCode`, as for transfers. */
    cashOutBatch: async (
      body: t.CashOutBatchRequest,
      options?: CommandOptions,
    ): Promise<CommandResult<t.CashOutBatch>> => this.#batch(CASH_OUT_BATCH, body, options),
    /** Each item on what those before it would leave. */
    previewCashOutBatch: async (body: t.CashOutBatchRequest, options?: PreviewOptions): Promise<t.DryRunBatchView> =>
      this.#preview(CASH_OUT_BATCH, body, options),
    /** Creates a deposit: the answer has the code for the payer. */
    cashIn: async (body: t.CashInRequest, options?: CommandOptions): Promise<CommandResult<t.CreatedCashIn>> =>
      this.#command(CASH_IN, body, options),
    previewCashIn: async (body: t.CashInRequest, options?: PreviewOptions): Promise<t.DryRunView> =>
      this.#preview(CASH_IN, body, options),
    /** Cancels an unpaid deposit. A second cancel is refused: the transaction has ended. */
    cancelCashIn: async (id: string, options?: CallOptions): Promise<t.Transaction> =>
      this.#post(`${CASH_IN}/${segment(id)}/cancel`, undefined, options),
    /** Refunds a completed deposit, fully or partially; without `amount` the rest of it. */
    refund: async (
      id: string,
      body: t.RefundRequest = {},
      options?: CommandOptions,
    ): Promise<CommandResult<t.CreatedRefund>> => this.#command(refundsOf(id), body, options),
    previewRefund: async (id: string, body: t.RefundRequest = {}, options?: PreviewOptions): Promise<t.DryRunView> =>
      this.#preview(refundsOf(id), body, options),
    /** Reads a code for payment, of any institution. Look at `refusal`: a code that cannot be paid throws nothing. */
    decode: async (qrCode: string, options: CallOptions = {}): Promise<t.DecodedCode> =>
      this.#change({ method: 'POST', path: DECODE, body: { qrCode }, repeatable: 'read', ...options }),
  };

  /** Reports of fraud (the special return mechanism): about your deposits, and yours about payouts. */
  readonly med = {
    /** Reports about deposits of the key's account, newest first. */
    list: (filters: t.InfractionFilters = {}, options?: CallOptions): Pages<t.Infraction> =>
      this.#pages(MED, filters, options),
    get: async (id: string, options?: CallOptions): Promise<t.Infraction> =>
      this.#read(`${MED}/${segment(id)}`, options),
    /** Once, and until `defenceUntil`. `data` is the case as it is now, also where `replayed`. */
    defend: async (
      id: string,
      body: t.DefenceRequest,
      options?: CommandOptions,
    ): Promise<CommandResult<t.Infraction>> => this.#command(`${MED}/${segment(id)}/defence`, body, options),
    /** Asks for the money of a completed payout back. `data` is the recovery as it is now, also where `replayed`. */
    recover: async (
      cashOutId: string,
      body: t.RecoveryRequest,
      options?: CommandOptions,
    ): Promise<CommandResult<t.Recovery>> => this.#command(`${CASH_OUT}/${segment(cashOutId)}/recovery`, body, options),
    recoveries: (filters: { limit?: number } = {}, options?: CallOptions): Pages<t.Recovery> =>
      this.#pages(RECOVERIES, filters, options),
    recovery: async (id: string, options?: CallOptions): Promise<t.Recovery> =>
      this.#read(`${RECOVERIES}/${segment(id)}`, options),
  };

  readonly payoutFiles = {
    /**
     * Pays the lines of a file: CSV, or JSON lines each with the body of a cash-out. A file with faults is an
     * `InvalidInputError`, and nothing of it was done.
     */
    upload: async (
      text: string,
      format: t.PayoutFile['format'],
      options?: CommandOptions,
    ): Promise<CommandResult<t.PayoutFile>> =>
      this.#command(FILES, text, options, { contentType: MEDIA_TYPES[format] }),
    /** Checks a file whole, and tells its lines, their amount and their charges. */
    previewUpload: async (
      text: string,
      format: t.PayoutFile['format'],
      options?: PreviewOptions,
    ): Promise<t.PayoutFileDryRunView> => this.#preview(FILES, text, options, MEDIA_TYPES[format]),
    get: async (id: string, options?: CallOptions): Promise<t.PayoutFile> =>
      this.#read(`${FILES}/${segment(id)}`, options),
    /** Newest first, of the key's account. */
    list: (filters: { limit?: number } = {}, options?: CallOptions): Pages<t.PayoutFile> =>
      this.#pages(FILES, filters, options),
    /** From the answer on no line is registered. Payouts that were registered go on. */
    cancel: async (id: string, options?: CallOptions): Promise<t.PayoutFile> =>
      this.#post(`${FILES}/${segment(id)}/cancel`, undefined, options),
    /** Waits until nothing more of a file is requested, and tells its progress. */
    follow: async (id: string, options: FollowOptions = {}): Promise<t.PayoutFile> =>
      followFile(() => this.payoutFiles.get(id, options), options),
    /** What became of each line that was requested, in order. */
    results: (id: string, options: CallOptions = {}): AsyncIterable<t.PayoutFileResult> =>
      resultsOf(this.#transport, `${FILES}/${segment(id)}/results`, options, () => this.payoutFiles.get(id, options)),
  };

  readonly transactions = {
    get: async (id: string, options?: CallOptions): Promise<t.Transaction> =>
      this.#read(`/partners-int/accounts/transactions/${segment(id)}`, options),
    /** Newest first, of the key's account. */
    list: (filters: t.TransactionFilters = {}, options?: CallOptions): Pages<t.Transaction> =>
      this.#pages('/partners-int/accounts/transactions', filters, options),
    /** Takes back a transfer or cash-out that waits for its time. A second cancel is refused. */
    cancel: async (id: string, options?: CallOptions): Promise<t.Transaction> =>
      this.#post(`/partners-int/accounts/transactions/${segment(id)}/cancel`, undefined, options),
  };

  readonly schedules = {
    /** Has a transfer or cash-out made every week or every month. */
    create: async (body: t.ScheduleRequest, options?: CommandOptions): Promise<CommandResult<t.Schedule>> =>
      this.#command(SCHEDULES, body, options),
    previewCreate: async (body: t.ScheduleRequest, options?: PreviewOptions): Promise<t.DryRunView> =>
      this.#preview(SCHEDULES, body, options),
    get: async (id: string, options?: CallOptions): Promise<t.Schedule> =>
      this.#read(`${SCHEDULES}/${segment(id)}`, options),
    /** Newest first, of the key's account. */
    list: (filters: { limit?: number } = {}, options?: CallOptions): Pages<t.Schedule> =>
      this.#pages(SCHEDULES, filters, options),
    /** Ends it, and cancels its runs that wait. Not retried when no answer came: a second cancel is refused. */
    cancel: async (id: string, options: CallOptions = {}): Promise<t.Schedule> =>
      this.#change({ method: 'DELETE', path: `${SCHEDULES}/${segment(id)}`, ...options }),
  };

  readonly webhooks = {
    /** The delivery log, newest first. */
    deliveries: (filters: t.DeliveryFilters = {}, options?: CallOptions): Pages<t.Delivery> =>
      this.#pages('/partners-int/webhooks/deliveries', filters, options),
    /** Redelivers. Not retried when no answer came: it would be sent twice. */
    redeliver: async (id: string, options?: CallOptions): Promise<t.AcceptedDelivery> =>
      this.#post(`/partners-int/webhooks/deliveries/${segment(id)}/redeliver`, undefined, options),
    /** Sends a signed sample. Not retried when no answer came. */
    test: async (body: t.TestWebhookRequest, options?: CallOptions): Promise<t.AcceptedDelivery> =>
      this.#post('/partners-int/webhooks/test', body, options),
    /** Where you are told what happens to an account, such as holds. */
    ofAccount: async (uid: string, options?: CallOptions): Promise<t.AccountWebhook> =>
      this.#read(webhookOf(uid), options),
    setForAccount: async (
      uid: string,
      body: t.AccountWebhookRequest,
      options: CallOptions = {},
    ): Promise<t.AccountWebhook> =>
      this.#change({ method: 'PUT', path: webhookOf(uid), body, repeatable: 'change', ...options }),
    removeFromAccount: async (uid: string, options: CallOptions = {}): Promise<void> =>
      this.#change({ method: 'DELETE', path: webhookOf(uid), repeatable: 'change', ...options }),
  };

  /** Only where the service runs on the sandbox rail. */
  readonly sandbox = {
    /** Plays the payer's bank. */
    pay: async (body: t.SandboxPaymentRequest, options?: CallOptions): Promise<t.SandboxPayment> =>
      this.#post('/sandbox/pix/payments', body, options, true),
    /** Forces the next state of a transaction. */
    force: async (id: string, next: 'complete' | 'fail' | 'reverse', options?: CallOptions): Promise<void> => {
      await this.#post(`/sandbox/pix/transactions/${segment(id)}/${next}`, undefined, options, true);
    },
  };

  async #read<T>(path: string, options: CallOptions = {}, query: Call['query'] = {}): Promise<T> {
    return (await this.#transport.call<T>({ method: 'GET', path, query, ...options })).data;
  }

  #pages<T>(path: string, filters: object, options?: CallOptions): Pages<T> {
    return new Pages((cursor) => this.#read<Page<T>>(path, options, { ...filters, cursor }));
  }

  async #post<T>(path: string, body: unknown, { signal }: CallOptions = {}, open?: true): Promise<T> {
    const call: Call = { method: 'POST', path, body, ...(signal && { signal }), ...(open && { open }) };
    return this.#change(call);
  }

  async #change<T>(call: Call): Promise<T> {
    return (await this.#transport.call<T>(call)).data;
  }

  async #command<T>(
    path: string,
    body: unknown,
    options: CommandOptions = {},
    more: Pick<Call, 'contentType' | 'isOpen'> = {},
  ): Promise<CommandResult<T>> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    const { signal } = options;
    const call: Call = { method: 'POST', path, body, idempotencyKey, ...more, ...(signal && { signal }) };
    return resultOf(await this.#transport.call<T>(call), idempotencyKey);
  }

  /** Repeated while an item has what a command would be retried for: the others are replayed. */
  #batch<T extends t.TransferBatch | t.CashOutBatch>(
    path: string,
    body: unknown,
    options?: CommandOptions,
  ): Promise<CommandResult<T>> {
    const isOpen = (data: unknown) => (data as T).items.some(({ status }) => status === 503);
    return this.#command(path, body, options, { isOpen });
  }

  async #preview<T>(path: string, body: unknown, options: PreviewOptions = {}, contentType?: string): Promise<T> {
    const query = { dryRun: 'true' };
    const call: Call = { method: 'POST', path, query, body, repeatable: 'read', ...options };
    return this.#change({ ...call, ...(contentType && { contentType }) });
  }
}

const MEDIA_TYPES = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;

/**
 * An identifier as a path segment.
 * @throws RangeError for one that would name another route: empty, or dots, which URLs resolve
 */
function segment(identifier: string): string {
  if (/^\.{0,2}$/.test(identifier)) throw new RangeError(`not an identifier: ${JSON.stringify(identifier)}`);
  return encodeURIComponent(identifier);
}

const refundsOf = (id: string) => `${CASH_IN}/${segment(id)}/refunds`;
const webhookOf = (uid: string) => `/partners-int/accounts/${segment(uid)}/webhook`;
