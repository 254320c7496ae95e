/* Generated from openapi.json by scripts/client-types.mjs; do not edit. */
export interface paths {
  '/partners-int/accounts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The partner's accounts, with their balances
     * @description Needs the permission `accounts:read`.
     */
    get: operations['listAccounts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/{uid}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One account
     * @description Needs the permission `accounts:read`.
     */
    get: operations['getAccount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/{uid}/contacts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Secure contacts of an account: payees with limits of their own
     * @description Registered by the operator. Payouts to a contact count against its limits instead of the account's. Needs the permission `accounts:read`.
     */
    get: operations['listContacts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/{uid}/holds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Holds on an account, newest first
     * @description Why money is blocked: by order of a court, for a return (MED), as a precaution, as a guarantee. Needs the permission `accounts:read`.
     */
    get: operations['listHolds'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/{uid}/limits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the account may pay out, what of it is used, and what is left
     * @description Set by the operator. Amounts of payouts without their charges; null is no limit. Needs the permission `accounts:read`.
     */
    get: operations['getPayoutLimits'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/{uid}/statement': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Movements on the available balance, newest first
     * @description Follows the log, normally within a second. A payout shows when it is held, and comes back as an entry of its own on Error. Needs the permission `accounts:read`.
     */
    get: operations['getStatement'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/{uid}/webhook': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The address of an account
     * @description Needs the permission `webhooks:manage`.
     */
    get: operations['getAccountWebhook'];
    /**
     * Register the address at which you are told what happens to an account
     * @description It takes the place of the one before it. What happened before is told where it was then; changes of state of payments go to the address that their request names. Needs the permission `webhooks:manage`.
     */
    put: operations['setAccountWebhook'];
    post?: never;
    /**
     * Remove the address of an account
     * @description What happened before is still delivered. Without an address nothing is done. Needs the permission `webhooks:manage`.
     */
    delete: operations['removeAccountWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/pix/cashin': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask for a deposit by Pix
     * @description Answers with a code for the payer to paste or scan. A webhook is sent at each change of state. Needs the permission `pix:cashin`.
     */
    post: operations['requestCashIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/pix/cashin/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take an unpaid deposit back
     * @description Its code can no longer be paid. TransitionNotAllowed for one that has ended. Needs the permission `pix:cashin`.
     */
    post: operations['cancelCashIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/pix/cashin/{id}/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a completed deposit back, whole or in parts
     * @description Up to 90 days after it was completed. The refund is a transaction of its own. Needs the permission `pix:cashin`.
     */
    post: operations['refundCashIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/pix/cashout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pay a recipient by Pix
     * @description By key, by bank account, by a key that must belong to a bank account, or by a copy-and-paste code: the body selects the method. Amount and charge are held until the rail has answered; a webhook is sent at its end. With `transaction.scheduledFor` it is `Scheduled`, and all this happens at that time (docs/schedules.md). Needs the permission `pix:cashout`.
     */
    post: operations['requestCashOut'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/pix/cashout/{id}/recovery': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask for the money of a completed payout back: it was fraud
     * @description Up to 80 days after it was completed. What the payee gives back is a refund of the payout. The answer is the recovery as it is now, also to a repetition under its key. Needs the permission `pix:cashout`.
     */
    post: operations['requestRecovery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/pix/cashouts/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pay many recipients by Pix at once
     * @description Up to 500 payouts, decided in their order, each by itself. `status`, `data` and `error` of an item are those of the single route, and its `idempotencyKey` is that of the single route too. The rate limit counts items. Needs the permission `pix:cashout`.
     */
    post: operations['requestCashOuts'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/pix/qrcode/decode': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read a Pix code: who receives what, and whether it can be paid
     * @description Pays nothing. The charge of a dynamic code is fetched from its address, and its signature verified. A code that is whole is answered with 200 also where it cannot be paid: `refusal` says why. Needs the permission `pix:cashout`.
     */
    post: operations['decodeCode'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/schedules': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Schedules of the account of the context, newest first
     * @description Needs the permission `accounts:read`.
     */
    get: operations['listSchedules'];
    put?: never;
    /**
     * Have a transfer or a payout made every week or every month
     * @description Each run is a transaction of its own, `Scheduled` from the time of the run before it. What falls on the 31st is on the last day of shorter months. Needs the permission of what it makes. Those of transfers are deprecated for accounts of class Legacy, with the headers of a transfer (Deprecation, Sunset).
     */
    post: operations['createSchedule'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/schedules/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One schedule with its runs
     * @description Needs the permission `accounts:read`.
     */
    get: operations['getSchedule'];
    put?: never;
    post?: never;
    /**
     * End a schedule, and cancel its runs that wait
     * @description TransitionNotAllowed where nothing is left of it. Needs the permission of what it makes.
     */
    delete: operations['cancelSchedule'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Transactions of the account of the context, newest first
     * @description A transfer shows to both its accounts; its amount is negative for the sender. Needs the permission `accounts:read`.
     */
    get: operations['listTransactions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/transactions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One transaction
     * @description Needs the permission `accounts:read`.
     */
    get: operations['getTransaction'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/transactions/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take back a transfer or payout that waits for its time
     * @description Needs the permission that made it. TransitionNotAllowed for one that does not wait: of a cancellation and the run at the same moment exactly one happens.
     */
    post: operations['cancelTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/transfer': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move money to another account of the same partner
     * @description At once, or at the time of `scheduledFor`: it is then `Scheduled`, nothing is held for it, and it is decided by the rules and funds of that time (docs/schedules.md). Deprecated for accounts of class Legacy: their answers carry Deprecation (RFC 9745) and, where a date is set, Sunset (RFC 8594). Needs the permission `transfers:write`.
     */
    post: operations['requestTransfer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/accounts/transfers/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move money to many accounts at once
     * @description Up to 500 transfers, decided in their order. `status`, `data` and `error` of an item are those of the single route, and its `idempotencyKey` is that of the single route too. With `atomic` all are done in one commit, or none: the 422 then has the same `data`, with the reason of the item at fault, and `NotApplied` for the others. The rate limit counts items. Needs the permission `transfers:write`.
     */
    post: operations['requestTransfers'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/login': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Exchange an access key and its secret for a token of one hour */
    post: operations['logIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/med': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Deposits of the account that their payers report as fraud, newest first
     * @description Needs the permission `accounts:read`.
     */
    get: operations['listInfractions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/med/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One report about a deposit
     * @description Needs the permission `accounts:read`.
     */
    get: operations['readInfraction'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/med/{id}/defence': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Defend a deposit that its payer reports as fraud
     * @description Once, and until `defenceUntil`. Links are https addresses of evidence. The answer is the case as it is now, also to a repetition under its key. Needs the permission `pix:cashin`.
     */
    post: operations['defendInfraction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/payouts/files': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Files of the account, newest first
     * @description Needs the permission `pix:cashout`.
     */
    get: operations['listPayoutFiles'];
    put?: never;
    /**
     * Pay the lines of a file
     * @description CSV with a header, or JSON lines, each the body of a cash-out (docs/payout-files.md): up to 100,000 lines and 64 MiB. The file is checked whole before anything is done. Its lines are then requested one by one, in order; the account webhook `payout-file.completed` tells the end. Needs the permission `pix:cashout`.
     */
    post: operations['acceptPayoutFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/payouts/files/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A file and its progress
     * @description Counts and amounts by state. Those of `completed`, `error` and `reversed` follow within a second. Needs the permission `pix:cashout`.
     */
    get: operations['getPayoutFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/payouts/files/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel what a file has not begun
     * @description From the answer on no line is registered. Payouts that were registered go on. Needs the permission `pix:cashout`.
     */
    post: operations['cancelPayoutFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/payouts/files/{id}/results': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What became of the lines of a file
     * @description Each line that was requested, in order, with its transaction and present state: CSV with a header, or JSON lines. Lines that wait, or were cancelled, are left out. Needs the permission `pix:cashout`.
     */
    get: operations['getPayoutFileResults'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/recoveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Requests of the account for the money of payouts, newest first
     * @description Needs the permission `accounts:read`.
     */
    get: operations['listRecoveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/recoveries/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One request for the money of a payout
     * @description Needs the permission `accounts:read`.
     */
    get: operations['readRecovery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/webhooks/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The delivery log of the account, newest first
     * @description Follows the log, normally within a second. The newest attempts of a delivery are kept. Needs the permission `webhooks:manage`.
     */
    get: operations['listDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/webhooks/deliveries/{id}/redeliver': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make a delivery again, from the first step of the schedule
     * @description The message is the same, its webhook-id too. A delivery that waits for its first try stays as it is. Needs the permission `webhooks:manage`.
     */
    post: operations['redeliverWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners-int/webhooks/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send one signed sample to an address
     * @description It is tried, logged and repeated like any delivery; its transactionOrderId is "webhook-test". Needs the permission `webhooks:manage`.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/behaviour': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How the sandbox behaves */
    get: operations['readBehaviour'];
    /**
     * Have the sandbox drop, delay or repeat its notifications, or hold refunds
     * @description Members that are absent stay as they are. When it answers, every instance behaves so.
     */
    put: operations['changeBehaviour'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/infractions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Play the payer's institution: report a payment that came in as fraud */
    post: operations['reportInfraction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/infractions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A report as the rail has it */
    get: operations['readReport'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/infractions/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Play the payer's institution: take a report back */
    post: operations['cancelReport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/payments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play the payer's bank: pay a code
     * @description Settled, or Returned: it came late, was the second, or did not fit, and the money went back.
     */
    post: operations['simulatePayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/recoveries/{id}/accept': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Play the payee's institution: agree to a recovery, and give the money back */
    post: operations['acceptRecovery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/recoveries/{id}/refuse': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Play the payee's institution: refuse a recovery */
    post: operations['refuseRecovery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/transactions/{id}/complete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Complete a transaction: a payout arrives, a deposit is paid by a payer who fits */
    post: operations['completePayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/transactions/{id}/fail': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Have the rail refuse a transaction */
    post: operations['failPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/pix/transactions/{id}/reverse': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Have the receiving bank return a transaction before it is completed */
    post: operations['reversePayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  holdChanged: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Money of an account was blocked by a hold, or a hold changed
     * @description One delivery a step, in order within a hold, signed as of Standard Webhooks; docs/webhooks.md says how to verify it. A delivery without a 2xx answer within 15 s is retried.
     */
    post: {
      parameters: {
        query?: never;
        header: {
          /** @description The same on every attempt */
          'webhook-id': string;
          /** @description HMAC-SHA256 over `id.timestamp.body`; one for each secret that is valid */
          'webhook-signature': string;
          /** @description Of this attempt, in seconds since 1970 */
          'webhook-timestamp': string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['HoldChangedDto'];
        };
      };
      responses: {
        /** @description Received */
        '2XX': {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description This delivery is not wanted: it is not retried */
        410: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Not received: it is retried */
        default: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  infractionChanged: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The payer of a deposit reports it as fraud (MED), or a report changed
     * @description One delivery a step, in order within a report, signed as of Standard Webhooks; docs/webhooks.md says how to verify it. A delivery without a 2xx answer within 15 s is retried.
     */
    post: {
      parameters: {
        query?: never;
        header: {
          /** @description The same on every attempt */
          'webhook-id': string;
          /** @description HMAC-SHA256 over `id.timestamp.body`; one for each secret that is valid */
          'webhook-signature': string;
          /** @description Of this attempt, in seconds since 1970 */
          'webhook-timestamp': string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['InfractionChangedDto'];
        };
      };
      responses: {
        /** @description Received */
        '2XX': {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description This delivery is not wanted: it is not retried */
        410: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Not received: it is retried */
        default: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  payoutFileCompleted: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Nothing more of a payout file is requested
     * @description One delivery a file, signed as of Standard Webhooks; docs/webhooks.md says how to verify it. A delivery without a 2xx answer within 15 s is retried.
     */
    post: {
      parameters: {
        query?: never;
        header: {
          /** @description The same on every attempt */
          'webhook-id': string;
          /** @description HMAC-SHA256 over `id.timestamp.body`; one for each secret that is valid */
          'webhook-signature': string;
          /** @description Of this attempt, in seconds since 1970 */
          'webhook-timestamp': string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['PayoutFileCompletedDto'];
        };
      };
      responses: {
        /** @description Received */
        '2XX': {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description This delivery is not wanted: it is not retried */
        410: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Not received: it is retried */
        default: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  recoveryChanged: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A recovery of a payout has ended
     * @description One delivery, signed as of Standard Webhooks; docs/webhooks.md says how to verify it. A delivery without a 2xx answer within 15 s is retried.
     */
    post: {
      parameters: {
        query?: never;
        header: {
          /** @description The same on every attempt */
          'webhook-id': string;
          /** @description HMAC-SHA256 over `id.timestamp.body`; one for each secret that is valid */
          'webhook-signature': string;
          /** @description Of this attempt, in seconds since 1970 */
          'webhook-timestamp': string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['RecoveryChangedDto'];
        };
      };
      responses: {
        /** @description Received */
        '2XX': {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description This delivery is not wanted: it is not retried */
        410: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Not received: it is retried */
        default: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  transactionChanged: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A transaction came to another state
     * @description One delivery a change, in order within a transaction and its refunds, signed as of Standard Webhooks; docs/webhooks.md says how to verify it. A delivery without a 2xx answer within 15 s is retried.
     */
    post: {
      parameters: {
        query?: never;
        header: {
          /** @description The same on every attempt */
          'webhook-id': string;
          /** @description HMAC-SHA256 over `id.timestamp.body`; one for each secret that is valid */
          'webhook-signature': string;
          /** @description Of this attempt, in seconds since 1970 */
          'webhook-timestamp': string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['NotificationDto'];
        };
      };
      responses: {
        /** @description Received */
        '2XX': {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description This delivery is not wanted: it is not retried */
        410: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Not received: it is retried */
        default: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  transferEnded: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The time of a scheduled transfer came: it was made, or refused
     * @description One delivery a transfer, signed as of Standard Webhooks; docs/webhooks.md says how to verify it. A delivery without a 2xx answer within 15 s is retried.
     */
    post: {
      parameters: {
        query?: never;
        header: {
          /** @description The same on every attempt */
          'webhook-id': string;
          /** @description HMAC-SHA256 over `id.timestamp.body`; one for each secret that is valid */
          'webhook-signature': string;
          /** @description Of this attempt, in seconds since 1970 */
          'webhook-timestamp': string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['TransferEndedDto'];
        };
      };
      responses: {
        /** @description Received */
        '2XX': {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description This delivery is not wanted: it is not retried */
        410: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Not received: it is retried */
        default: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    AcceptedDelivery: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      deliveryId: string;
    };
    /** @enum {string} */
    AccountClass: 'Standard' | 'Legacy';
    /** @enum {string} */
    AccountStatus: 'Active' | 'Inactive';
    /** @enum {string} */
    AccountType: 'CheckingsAccount' | 'SavingsAccount' | 'SalaryAccount' | 'PaymentAccount';
    AccountView: {
      balance: components['schemas']['BalanceView'];
      branch: string;
      class: components['schemas']['AccountClass'];
      /** @description Whether it is the account of the current context */
      current: boolean;
      digit: string;
      ispb: string;
      name: string;
      number: string;
      status: components['schemas']['AccountStatus'];
      /** @description CPF or CNPJ */
      taxNumber: string;
      type: components['schemas']['AccountType'];
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      uid: string;
    };
    AccountWebhookView: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      accountUid: string;
      /** @description `null` for none; its value is not shown */
      customHeaderName: string | null;
      /**
       * Format: date-time
       * @description What happens from then on is told here
       * @example 2026-11-20T14:04:05.123Z
       */
      since: string;
      /** @example https://partner.example/webhooks/account */
      url: string;
    };
    AmountLimitsView: {
      day: components['schemas']['AmountLimitView'];
      month: components['schemas']['AmountLimitView'];
      night: components['schemas']['AmountLimitView'];
      payment: components['schemas']['PaymentLimitView'];
    };
    AmountLimitView: {
      /** Format: date-time */
      from: string;
      /** @example 10.50 */
      left: string | null;
      /** @example 10.50 */
      limit: string | null;
      next: components['schemas']['NextAmountLimit'] | null;
      /** Format: date-time */
      to: string;
      /**
       * @description Null where the account never had a limit: then nothing is counted
       * @example 10.50
       */
      used: string | null;
    };
    /**
     * @description `null` where an answer came whole.
     * @enum {string}
     */
    AttemptError:
      | 'AddressNotAllowed'
      | 'NameNotResolved'
      | 'ConnectionFailed'
      | 'TlsFailed'
      | 'Timeout'
      | 'InvalidResponse'
      | 'RedirectNotFollowed'
      | 'NotPrepared';
    AttemptView: {
      durationMs: number;
      /** @description `null` where an answer came whole. */
      error: components['schemas']['AttemptError'] | null;
      /** @description `null` where no answer came. */
      httpStatus: number | null;
      /** @description From 1, over redeliveries too. */
      number: number;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      startedAt: string;
    };
    BalanceView: {
      /** @example 10.50 */
      available: string;
      /**
       * @description Kept by holds: it cannot be spent
       * @example 10.50
       */
      blocked: string;
      /** @example 10.50 */
      held: string;
    };
    BankAccountDto: {
      /**
       * @description Branch, four digits
       * @example 0001
       */
      branch: string;
      /**
       * @description Verification digit
       * @example 7
       */
      digit?: string;
      /**
       * @description ISPB of the institution, eight digits or letters
       * @example 60701190
       */
      ispb: string;
      /**
       * @description Account number; its last character is the digit where `digit` is absent
       * @example 123456
       */
      number: string;
      /**
       * @description CheckingsAccount when absent
       * @enum {string}
       */
      type?: 'CheckingsAccount' | 'SavingsAccount' | 'SalaryAccount' | 'PaymentAccount';
    };
    BatchCounts: {
      /** @example 1 */
      done: number;
      /** @example 0 */
      error: number;
    };
    Behaviour: {
      /** @description How often each notification is sent */
      copies: number;
      /** @description Milliseconds that notifications come late */
      delayMs: number;
      /**
       * @description `drop`: the ledger is told nothing by itself
       * @enum {string}
       */
      notifications: 'deliver' | 'drop';
      /**
       * @description `hold`: refunds stay under way until they are forced
       * @enum {string}
       */
      refunds: 'settle' | 'hold';
    };
    BehaviourDto: {
      /** @description How often each notification is sent */
      copies?: number;
      /** @description Milliseconds that notifications come late */
      delayMs?: number;
      /**
       * @description drop: the ledger is told nothing
       * @enum {string}
       */
      notifications?: 'deliver' | 'drop';
      /**
       * @description hold: refunds wait to be forced
       * @enum {string}
       */
      refunds?: 'settle' | 'hold';
    };
    CashInOrderDto: {
      /**
       * @description Seconds in which it can be paid, up to the operator setting
       * @example 3600
       */
      expiresIn?: number;
      /**
       * @description At most 140 characters
       * @example Supplier
       */
      orderDescription?: string;
      /**
       * @description 1 to 64 characters
       * @example order-1
       */
      orderId: string;
    };
    CashInPaymentDto: {
      payer?: components['schemas']['PayerDto'];
      value: components['schemas']['CashInValueDto'];
    };
    CashInValueDto: {
      /** @example 10.50 */
      original: string;
    };
    CashOutOrderDto: {
      /**
       * @description At most 140 characters
       * @example Supplier
       */
      orderDescription?: string;
      /**
       * @description 1 to 64 characters
       * @example order-1
       */
      orderId: string;
      /**
       * @description Beside `scheduledFor`: funds that are missing then are waited for until this date (its end) or date-time; at most 30 days longer
       * @example 2027-01-06
       */
      retryUntil?: string;
      /**
       * @description When it is carried out: a date (06:00 of that day) or a date-time, in America/Sao_Paulo unless it has a zone; at most 366 days away. Absent: now
       * @example 2027-01-04
       */
      scheduledFor?: string;
    };
    CashOutPaymentDto: {
      key?: components['schemas']['PixKeyDto'];
      /**
       * @description The copy-and-paste code, instead of key and account
       * @example 00020101021226…6304ABCD
       */
      qrCode?: string;
      /** @description May be absent where `qrCode` names it */
      recipient?: components['schemas']['RecipientDto'];
      /**
       * @description May be absent where `qrCode` fixes it
       * @example 10.50
       */
      value?: string;
    };
    CashOutsAnswer: {
      counts: components['schemas']['BatchCounts'];
      items: (components['schemas']['DoneCashOutItem'] | components['schemas']['RefusedItem'])[];
    };
    CodeDue: {
      /** Format: date */
      date: string;
      /** @example 10.50 */
      discount: string | null;
      /** @example 10.50 */
      fine: string | null;
      /** @example 10.50 */
      interest: string | null;
      /** @example 10.50 */
      original: string | null;
      /** @example 10.50 */
      rebate: string | null;
    };
    CodeReceiver: {
      city: string;
      /** @description The Pix key that is paid to */
      key: string | null;
      name: string;
      /** @description Told by charges with a due date only */
      taxNumber: string | null;
    };
    CodeRefusalView: {
      message: string;
      /** @enum {string} */
      reason:
        | 'QrCodeKindNotSupported'
        | 'QrCodeKeyInvalid'
        | 'QrCodeUnreachable'
        | 'QrCodeUnknown'
        | 'QrCodeSignatureInvalid'
        | 'QrCodePayloadInvalid'
        | 'QrCodeNotActive'
        | 'QrCodeExpired';
    };
    ContactLimitsView: {
      day: components['schemas']['AmountLimitView'];
      month: components['schemas']['AmountLimitView'];
      /** @description Null of a legal person, whose day is a whole calendar day */
      night: components['schemas']['AmountLimitView'] | null;
      payment: components['schemas']['PaymentLimitView'];
    };
    CreatedCashIn: {
      payment: components['schemas']['CreatedCharge'];
      transaction: components['schemas']['TransactionSummary'];
    };
    CreatedCashOut: {
      /** @description Only of a key with an account where the rail could not compare the two: the account is paid */
      payment?: components['schemas']['UncheckedKey'];
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      retryUntil?: string;
      /**
       * Format: date-time
       * @description Of a payout that is scheduled, as the next one
       * @example 2026-11-20T14:04:05.123Z
       */
      scheduledFor?: string;
      transaction: components['schemas']['TransactionSummary'];
    };
    CreatedCharge: {
      /** @description The copy-and-paste code */
      qrCode: string;
      /**
       * Format: uri
       * @description Address of its image
       */
      qrCodeLocation: string;
    };
    CreatedRefund: {
      transaction: components['schemas']['RefundSummary'];
    };
    CreateScheduleDto: {
      /** @description As the route of payouts takes it, without a code and these two; each run has its number after the `orderId` */
      cashOut?: components['schemas']['RequestCashOutDto'];
      /**
       * @description Number of runs
       * @example 12
       */
      count?: number;
      every: components['schemas']['ScheduleStep'];
      /**
       * @description How long a run waits for missing funds; 0 if absent
       * @example 24
       */
      retryForHours?: number;
      /**
       * @description Of the first run, as `scheduledFor` of a transfer; the others are at the same time of day
       * @example 2027-01-31
       */
      startsOn: string;
      /** @description As the route of transfers takes it, without `scheduledFor` and `retryUntil` */
      transfer?: components['schemas']['RequestTransferDto'];
      /**
       * @description Runs are made before it: a date (its end) or a date-time
       * @example 2027-12-31
       */
      until?: string;
    };
    DecodeCodeDto: {
      /**
       * @description The copy-and-paste code
       * @example 00020101021226…6304ABCD
       */
      qrCode: string;
    };
    DecodedCodeView: {
      /**
       * @description Null where the payer chooses it, or where it is not known
       * @example 10.50
       */
      amount: string | null;
      canBePaid: boolean;
      /** @description What the receiver tells the payer */
      description: string | null;
      /** @description Of charges with a due date */
      due: components['schemas']['CodeDue'] | null;
      /**
       * Format: date-time
       * @description A due date is moved by weekends only: where a holiday moves it, the bank takes payments for longer
       */
      expiresAt: string | null;
      /** @enum {string} */
      kind: 'Static' | 'Dynamic' | 'Recurrence';
      payerMayChangeAmount: boolean;
      receiver: components['schemas']['CodeReceiver'];
      /** @description Null where it can be paid */
      refusal: components['schemas']['CodeRefusalView'] | null;
      txid: string | null;
    };
    DefenceDto: {
      /**
       * @description Evidence: https addresses of at most 500 characters
       * @example [
       *       "https://shop.example/orders/1234/receipt"
       *     ]
       */
      links?: string[];
      /** @example The goods were delivered on 2026-11-19; the receipt is signed. */
      text: string;
    };
    DefenceView: {
      links: string[];
      text: string;
    };
    /** @enum {string} */
    DeliveryStatus: 'Pending' | 'Retrying' | 'Delivered' | 'Stopped' | 'Exhausted';
    DeliveryView: {
      /** @description Oldest first. */
      attempts: components['schemas']['AttemptView'][];
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /**
       * Format: date-time
       * @description `null` when there is none, or while it waits for the one before it.
       * @example 2026-11-20T14:04:05.123Z
       */
      nextAttemptAt: string | null;
      status: components['schemas']['DeliveryStatus'];
      /**
       * Format: uuid
       * @description `null` for a test, and for a notification of an account.
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      transactionId: string | null;
      /** @description `null` for a notification of an account. */
      transactionState: components['schemas']['TransactionState'] | null;
      /** @description What a notification of an account tells, such as `hold.placed`; `null` for others. */
      type: string | null;
      url: string;
    };
    DomainErrorBody: {
      error: {
        code: string;
        details: {
          [key: string]: unknown;
        };
        name: string;
      };
      /** @enum {string} */
      statusCode: 'Error';
    };
    DoneCashOutItem: {
      data: components['schemas']['CreatedCashOut'];
      idempotencyKey: string;
      /** @description It was done before, under this key */
      replayed: boolean;
      /** @enum {integer} */
      status: 201;
      /** @enum {string} */
      statusCode: 'Incomplete';
    };
    DoneTransferItem: {
      data: components['schemas']['TransferAnswer'];
      idempotencyKey: string;
      /** @description It was done before, under this key */
      replayed: boolean;
      /** @enum {integer} */
      status: 201;
      /** @enum {string} */
      statusCode: 'Done' | 'Incomplete';
    };
    DryRunBatchView: {
      counts: components['schemas']['BatchCounts'];
      /** @enum {boolean} */
      dryRun: true;
      items: (components['schemas']['DryRunItem'] | components['schemas']['RefusedItem'])[];
    };
    DryRunItem: {
      data: components['schemas']['DryRunView'];
      idempotencyKey: string;
      replayed: boolean;
      /** @enum {integer} */
      status: 200;
      /** @enum {string} */
      statusCode: 'Done';
    };
    DryRunView: {
      /** @description Of the account of the request, after it */
      balance: components['schemas']['BalanceView'];
      /**
       * @description Of the operator; a deposit's are taken when it is paid
       * @example 10.50
       */
      charges: string;
      /** @enum {boolean} */
      dryRun: true;
      /** @description Of the account's payouts, with what would be left; null where none was ever set */
      limits: components['schemas']['PayoutLimitsView'] | null;
      /** @description Those that it causes too, such as what a hold takes of a credit; in the order in which they would be made */
      postings: components['schemas']['PreviewedPosting'][];
      /** @description The idempotency key was used for this request: the run would do nothing, and give the first answer again */
      replayed: boolean;
    };
    FaultDetailBody: {
      /** @example InvalidFormat */
      code: string;
      /** @example {} */
      info: {
        [key: string]: unknown;
      };
      /** @example must be four digits */
      message: string;
      /** @example payment.recipient.account.branch */
      path: string;
    };
    ForbiddenBody: {
      /** @enum {string} */
      message: 'Forbidden';
    };
    ForcedTransaction: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      state: components['schemas']['TransactionState'];
    };
    /** @enum {string} */
    FraudReason: 'Scam' | 'AccountTakeover' | 'Coercion' | 'FraudulentAccess' | 'Other';
    GeneralErrorBody: {
      error: {
        message: string;
        name: string;
      };
      /** @enum {string} */
      statusCode: 'Error';
    };
    /** @enum {string} */
    HoldCause: 'Judicial' | 'Med' | 'Cautionary' | 'Guarantee';
    HoldChangedDto: {
      data: components['schemas']['HoldNotification'];
      /**
       * Format: date-time
       * @description When it happened
       * @example 2026-11-20T14:04:05.123Z
       */
      timestamp: string;
      /** @enum {string} */
      type: 'hold.placed' | 'hold.filled' | 'hold.released' | 'hold.executed' | 'hold.drawn' | 'hold.restored';
    };
    HoldNotification: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      accountUid: string;
      /**
       * @description What is wanted
       * @example 10.50
       */
      amount: string;
      /**
       * @description What is blocked now
       * @example 10.50
       */
      blocked: string;
      cause: components['schemas']['HoldCause'];
      /**
       * Format: uuid
       * @description The transaction that brought the money, where it was blocked on its arrival
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      depositId: string | null;
      /**
       * @description What left the account for the order
       * @example 10.50
       */
      executed: string;
      /**
       * Format: date-time
       * @description It is released then, whatever is still blocked; `null` where it has no such time
       * @example 2026-11-20T14:04:05.123Z
       */
      expiresAt: string | null;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      placedAt: string;
      /** @description Of the order */
      reference: string;
      /**
       * @description What was made available again
       * @example 10.50
       */
      released: string;
      /**
       * Format: date-time
       * @description Until then later credits fill it; `null` where they do not
       * @example 2026-11-20T14:04:05.123Z
       */
      retryUntil: string | null;
      /**
       * @description Of a deposit: what went back to its payer, or is on its way
       * @example 10.50
       */
      returned: string;
      /** @description `Closed`: nothing is blocked by it, and nothing will be */
      status: components['schemas']['HoldStatus'];
    };
    /**
     * @description `Closed`: nothing is blocked by it, and nothing will be
     * @enum {string}
     */
    HoldStatus: 'Open' | 'Closed';
    HoldView: {
      /**
       * @description What is wanted
       * @example 10.50
       */
      amount: string;
      /**
       * @description What is blocked now
       * @example 10.50
       */
      blocked: string;
      cause: components['schemas']['HoldCause'];
      /**
       * Format: uuid
       * @description The transaction that brought the money, where it was blocked on its arrival
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      depositId: string | null;
      /**
       * @description What left the account for the order
       * @example 10.50
       */
      executed: string;
      /**
       * Format: date-time
       * @description It is released then, whatever is still blocked; `null` where it has no such time
       * @example 2026-11-20T14:04:05.123Z
       */
      expiresAt: string | null;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      placedAt: string;
      /** @description Of the order */
      reference: string;
      /**
       * @description What was made available again
       * @example 10.50
       */
      released: string;
      /**
       * Format: date-time
       * @description Until then later credits fill it; `null` where they do not
       * @example 2026-11-20T14:04:05.123Z
       */
      retryUntil: string | null;
      /**
       * @description Of a deposit: what went back to its payer, or is on its way
       * @example 10.50
       */
      returned: string;
      /** @description `Closed`: nothing is blocked by it, and nothing will be */
      status: components['schemas']['HoldStatus'];
    };
    InfractionChangedDto: {
      data: components['schemas']['InfractionNotification'];
      /**
       * Format: date-time
       * @description When it happened
       * @example 2026-11-20T14:04:05.123Z
       */
      timestamp: string;
      /** @enum {string} */
      type:
        | 'infraction.reported'
        | 'infraction.agreed'
        | 'infraction.rejected'
        | 'infraction.cancelled'
        | 'infraction.returned'
        | 'infraction.closed';
    };
    /**
     * @description Why it was closed
     * @enum {string}
     */
    InfractionEnding: 'Returned' | 'PeriodEnded' | 'NothingLeft';
    InfractionNotification: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      accountUid: string;
      /** @example 10.50 */
      amount?: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      decideUntil?: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      defenceUntil?: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      returnUntil?: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      transactionId: string;
    };
    /** @enum {string} */
    InfractionStatus: 'Open' | 'Defended' | 'Agreed' | 'Rejected' | 'Cancelled' | 'Closed';
    InfractionView: {
      /**
       * @description What is to go back; `null` before a decision
       * @example 10.50
       */
      agreed: string | null;
      /**
       * @description What is asked back
       * @example 10.50
       */
      amount: string;
      /**
       * @description What it blocks now
       * @example 10.50
       */
      blocked: string;
      /**
       * Format: date-time
       * @description By then it is decided
       * @example 2026-11-20T14:04:05.123Z
       */
      decideUntil: string;
      defence: components['schemas']['DefenceView'] | null;
      /**
       * Format: date-time
       * @description Until then a defence is heard
       * @example 2026-11-20T14:04:05.123Z
       */
      defenceUntil: string;
      /** @description The payer's words; `null` where there are none, or they were forgotten */
      details: string | null;
      /** @description Why it was closed */
      ending: components['schemas']['InfractionEnding'] | null;
      endToEndId: string;
      /**
       * Format: uuid
       * @description The hold on the account; `null` where nothing was left to be blocked
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      holdId: string | null;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /** @example 10.50 */
      pending: string;
      reason: components['schemas']['FraudReason'];
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      reportedAt: string;
      /**
       * @description What is back at the payer, and what is on its way
       * @example 10.50
       */
      returned: string;
      /**
       * Format: date-time
       * @description Until then money goes back as it comes in
       * @example 2026-11-20T14:04:05.123Z
       */
      returnUntil: string;
      /** @description When each state was reached */
      stateDates: {
        [key: string]: string;
      };
      status: components['schemas']['InfractionStatus'];
      /**
       * Format: uuid
       * @description The deposit
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      transactionId: string;
    };
    LineAmounts: {
      /** @example 10.50 */
      cancelled: string;
      /** @example 10.50 */
      completed: string;
      /** @example 10.50 */
      error: string;
      /** @example 10.50 */
      registered: string;
      /** @example 10.50 */
      reversed: string;
      /** @example 10.50 */
      waiting: string;
    };
    LineCounts: {
      /** @description Not requested before the file was cancelled */
      cancelled: number;
      completed: number;
      /** @description Refused when requested, or not carried out by the rail */
      error: number;
      /** @description The rail has not answered yet */
      registered: number;
      reversed: number;
      /** @description Not requested yet */
      waiting: number;
    };
    Login: {
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      expiresAt: string;
      /** @description Seconds */
      expiresIn: number;
      token: string;
      /** @enum {string} */
      tokenType: 'Bearer';
    };
    LoginDto: {
      /**
       * @description Access key
       * @example 0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e
       */
      accessKey: string;
      /**
       * @description Its secret
       * @example sk_…
       */
      secret: string;
    };
    NextAmountLimit: {
      /** Format: date-time */
      from: string;
      /** @example 10.50 */
      limit: string | null;
    };
    NextNightStart: {
      /** Format: date-time */
      from: string;
      nightStartsAt: components['schemas']['NightStart'];
    };
    NextPayoutsLimit: {
      /** Format: date-time */
      from: string;
      limit: number | null;
    };
    /**
     * @description America/Sao_Paulo; the night ends at 06:00
     * @enum {string}
     */
    NightStart: '20:00' | '22:00';
    NotificationDto: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /** @description Of a cash-in */
      payer?: components['schemas']['NotificationPartyDto'];
      /** @description Of a cash-out */
      recipient?: components['schemas']['NotificationPartyDto'];
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      stateCancelledDate?: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      stateCompletedDate: string | null;
      /** @example AC07 */
      stateErrorCause?: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      stateErrorDate?: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      stateRegisteredDate: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      stateReversedDate?: string;
      /** @example 10.50 */
      transactionAmount: string;
      /** @example 10.50 */
      transactionCharges: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      transactionDate: string;
      /** @example Supplier */
      transactionOrderDescription: string;
      /** @example order-1 */
      transactionOrderId: string;
      /** @enum {string} */
      transactionPaymentType: 'PIX';
      /**
       * @description Address of the receipt; empty unless Completed
       * @example
       */
      transactionReceipt: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      transactionReceiptDate: string | null;
      /**
       * @description EndToEndId, or empty
       * @example
       */
      transactionReceiptVoucher: string;
      transactionState: components['schemas']['TransactionState'];
      /**
       * @example Debit
       * @enum {string}
       */
      transactionType: 'Debit' | 'Credit';
      /** @example https://partner.example/hooks/pix */
      webhookUrl: string;
    };
    NotificationPartyDto: {
      /** @example 0001 */
      accountAgency: string;
      /** @example 6 */
      accountDigit: string;
      /** @example 12345 */
      accountNumber: string;
      /**
       * @example CheckingsAccount
       * @enum {string}
       */
      accountType: 'CheckingsAccount' | 'SavingsAccount' | 'SalaryAccount' | 'PaymentAccount' | '';
      /**
       * @description ISPB of the bank
       * @example 60701190
       */
      bankCode: string;
      /** @example Maria Silva */
      name: string;
      /**
       * @description CPF or CNPJ
       * @example 52998224725
       */
      taxNumber: string;
    };
    NotificationsView: {
      deliveryStatus: components['schemas']['DeliveryStatus'] | null;
    };
    /** @enum {string} */
    PaidOutcome: 'Settled' | 'Returned';
    PayeeLimitsView: {
      day: components['schemas']['PayeeLimitView'];
      night: components['schemas']['PayeeLimitView'];
    };
    PayeeLimitView: {
      /** Format: date-time */
      from: string;
      /** @example 10.50 */
      limit: string | null;
      next: components['schemas']['NextAmountLimit'] | null;
      /** Format: date-time */
      to: string;
    };
    PayerAccountDto: {
      /**
       * @description Branch, four digits
       * @example 0001
       */
      branch: string;
      /**
       * @description Verification digit
       * @example 7
       */
      digit?: string;
      /**
       * @description ISPB of the institution, eight digits or letters
       * @example 60701190
       */
      ispb: string;
      /**
       * @description Account number; its last character is the digit where `digit` is absent
       * @example 123456
       */
      number: string;
    };
    PayerDto: {
      /** @description The account that must pay */
      account?: components['schemas']['PayerAccountDto'];
      /**
       * @description CPF or CNPJ that must pay
       * @example 52998224725
       */
      cpf?: string;
      /**
       * @description Will become required
       * @example Maria Silva
       */
      name?: string;
      /** @description Accounts of which one must pay; not together with `account` */
      validationAccounts?: components['schemas']['ValidationAccountDto'][];
    };
    PaymentLimitView: {
      /** @example 10.50 */
      limit: string | null;
      next: components['schemas']['NextAmountLimit'] | null;
    };
    PayoutFileCompletedDto: {
      data: components['schemas']['PayoutFileNotification'];
      /**
       * Format: date-time
       * @description When it happened
       * @example 2026-11-20T14:04:05.123Z
       */
      timestamp: string;
      /** @enum {string} */
      type: 'payout-file.completed';
    };
    PayoutFileDryRunView: {
      /**
       * @description Of all lines
       * @example 10.50
       */
      amount: string;
      /** @description Of the account of the request, after it */
      balance: components['schemas']['BalanceView'];
      /**
       * @description Of the operator; a deposit's are taken when it is paid
       * @example 10.50
       */
      charges: string;
      /** @enum {boolean} */
      dryRun: true;
      /** @description Of the account's payouts, with what would be left; null where none was ever set */
      limits: components['schemas']['PayoutLimitsView'] | null;
      /** @description Lines to pay */
      lines: number;
      /** @description Those that it causes too, such as what a hold takes of a credit; in the order in which they would be made */
      postings: components['schemas']['PreviewedPosting'][];
      /** @description The idempotency key was used for this request: the run would do nothing, and give the first answer again */
      replayed: boolean;
    };
    /** @enum {string} */
    PayoutFileFormat: 'csv' | 'jsonl';
    PayoutFileNotification: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      accountUid: string;
      cancelled: number;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      lines: number;
      refused: number;
      /** @example 10.50 */
      refusedAmount: string;
      registered: number;
      /** @example 10.50 */
      registeredAmount: string;
      /** @enum {string} */
      state: 'Completed' | 'Cancelled';
    };
    /**
     * @description `Completed`: every line was requested. The payouts themselves may still be under way
     * @enum {string}
     */
    PayoutFileState: 'Running' | 'Cancelled' | 'Completed';
    PayoutFileView: {
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      acceptedAt: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      accountUid: string;
      /**
       * @description Of all lines
       * @example 10.50
       */
      amount: string;
      amounts: components['schemas']['LineAmounts'];
      counts: components['schemas']['LineCounts'];
      /**
       * @description SHA-256 of the file
       * @example XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=
       */
      digest: string;
      /**
       * Format: date-time
       * @description When nothing more was requested
       * @example 2026-11-20T14:04:05.123Z
       */
      endedAt: string | null;
      format: components['schemas']['PayoutFileFormat'];
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /** @description Lines to pay */
      lines: number;
      /** @description `Completed`: every line was requested. The payouts themselves may still be under way */
      state: components['schemas']['PayoutFileState'];
    };
    PayoutLimitsView: {
      /** @description Names of the limits that are the partner's defaults: the account has none of its own (`day`, `own.day` …) */
      byDefault: string[];
      /** @description Number of secure contacts, which have limits of their own */
      contacts: number;
      day: components['schemas']['AmountLimitView'];
      month: components['schemas']['AmountLimitView'];
      nextNightStart: components['schemas']['NextNightStart'] | null;
      night: components['schemas']['AmountLimitView'];
      /** @description America/Sao_Paulo; the night ends at 06:00 */
      nightStartsAt: components['schemas']['NightStart'];
      /** @description Of payouts to everybody else; they hold beside those of all payouts */
      others: components['schemas']['AmountLimitsView'];
      /** @description Of payouts to the account's own holder; they hold beside those of all payouts */
      own: components['schemas']['AmountLimitsView'];
      payee: components['schemas']['PayeeLimitsView'];
      payment: components['schemas']['PaymentLimitView'];
      payoutsPerHour: components['schemas']['PayoutsLimitView'];
    };
    PayoutsLimitView: {
      /** Format: date-time */
      from: string;
      left: number | null;
      limit: number | null;
      next: components['schemas']['NextPayoutsLimit'] | null;
      /** Format: date-time */
      to: string;
      used: number | null;
    };
    PixKeyDto: {
      /**
       * @description In any letter case
       * @example CPF
       * @enum {string}
       */
      type: 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'EVP';
      /**
       * @description The Pix key: CPF and CNPJ with or without punctuation, PHONE as +5511987654321, EVP as a UUID
       * @example 52998224725
       */
      value: string;
    };
    PreviewedPosting: {
      /**
       * Format: uuid
       * @description UID
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      account: string;
      /**
       * @description Signed
       * @example 10.50
       */
      amount: string;
      /** @example 10.50 */
      balanceAfter: string;
      /** @enum {string} */
      bucket: 'available' | 'held' | 'blocked';
    };
    /** @enum {string} */
    RailRecoveryStatus: 'Pending' | 'Accepted' | 'Refused';
    ReadTransaction: {
      accountNumber: string;
      /** @example 10.50 */
      amount: string;
      /** @example 10.50 */
      charges: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      date: string;
      endToEndId: string | null;
      errorReason: string | null;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      institution: string;
      ispb: string;
      orderDescription: string;
      orderId: string | null;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      refundOf: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      retryUntil?: string;
      /**
       * Format: date-time
       * @description Only of a transaction that was scheduled: when it is carried out, and until when it waits for missing funds
       * @example 2026-11-20T14:04:05.123Z
       */
      scheduledFor?: string;
      /**
       * Format: uuid
       * @description The repeating schedule that it is a run of
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      scheduleId?: string;
      state: components['schemas']['TransactionState'];
      /** @description By state */
      stateDates: {
        [key: string]: string;
      };
      type: components['schemas']['TransactionType'];
    };
    RecipientDto: {
      account?: components['schemas']['BankAccountDto'];
      /**
       * @description CPF or CNPJ
       * @example 52998224725
       */
      cpf: string;
      /**
       * @description Will become required
       * @example Maria Silva
       */
      name?: string;
    };
    RecoveryChangedDto: {
      data: components['schemas']['RecoveryNotification'];
      /**
       * Format: date-time
       * @description When it happened
       * @example 2026-11-20T14:04:05.123Z
       */
      timestamp: string;
      /** @enum {string} */
      type: 'recovery.accepted' | 'recovery.refused';
    };
    RecoveryDto: {
      /** @example The supplier never existed; the police report is 123/2026. */
      details: string;
      /** @example Scam */
      reason: components['schemas']['FraudReason'];
    };
    RecoveryNotification: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      accountUid: string;
      /** @example 10.50 */
      amount?: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      refusalCode?: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      transactionId: string;
    };
    /** @enum {string} */
    RecoveryStatus: 'Requested' | 'Opened' | 'Accepted' | 'Refused';
    RecoveryView: {
      /**
       * @description What the payee's institution agreed to; the money comes as refunds of the payout
       * @example 10.50
       */
      accepted: string | null;
      /**
       * @description What is asked for
       * @example 10.50
       */
      amount: string;
      /** @description The partner's words; `null` once they were forgotten */
      details: string | null;
      endToEndId: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      reason: components['schemas']['FraudReason'];
      /** @description Why it was refused */
      refusalCode: string | null;
      /** @description When each state was reached */
      stateDates: {
        [key: string]: string;
      };
      status: components['schemas']['RecoveryStatus'];
      /**
       * Format: uuid
       * @description The payout
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      transactionId: string;
    };
    RefundCashInDto: {
      /**
       * @description What is left of the deposit, when absent
       * @example 5.00
       */
      amount?: string;
      /**
       * @description At most 140 characters
       * @example Returned goods
       */
      reason?: string;
    };
    RefundSummary: {
      accountNumber: string;
      /** @example 10.50 */
      amount: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      date: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      institution: string;
      ispb: string;
      orderId: string | null;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      refundOf: string;
      state: components['schemas']['TransactionState'];
      /** @enum {string} */
      type: 'Refund';
    };
    RefusedItem: {
      error: {
        [key: string]: unknown;
      };
      idempotencyKey: string;
      /**
       * @example 422
       * @enum {integer}
       */
      status: 400 | 403 | 404 | 409 | 422 | 500 | 503;
      /** @enum {string} */
      statusCode: 'Error';
    };
    RemovedAccountWebhook: {
      removed: boolean;
    };
    /** @enum {string} */
    ReportStatus: 'Open' | 'Agreed' | 'Rejected' | 'Cancelled';
    RequestCashInDto: {
      payment: components['schemas']['CashInPaymentDto'];
      transaction: components['schemas']['CashInOrderDto'];
      webhook: components['schemas']['WebhookDto'];
    };
    RequestCashOutDto: {
      payment: components['schemas']['CashOutPaymentDto'];
      transaction: components['schemas']['CashOutOrderDto'];
      webhook: components['schemas']['WebhookDto'];
    };
    RequestCashOutsDto: {
      /** @description Each with a key of its own, unique in the batch */
      items: (components['schemas']['RequestCashOutDto'] & {
        idempotencyKey: string;
      })[];
      /**
       * @default independent
       * @enum {string}
       */
      mode?: 'independent';
    };
    RequestTransferDto: {
      /**
       * @description UID of the destination account, from the list of accounts
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      refAccountCredit: string;
      /**
       * @description Beside `scheduledFor`: funds that are missing then are waited for until this date (its end) or date-time; at most 30 days longer
       * @example 2027-01-06
       */
      retryUntil?: string;
      /**
       * @description When it is carried out: a date (06:00 of that day) or a date-time, in America/Sao_Paulo unless it has a zone; at most 366 days away. Absent: now
       * @example 2027-01-04
       */
      scheduledFor?: string;
      /**
       * @description Amount, with a dot and at most two decimals
       * @example 10.50
       */
      transferAmount: string;
      /**
       * @description Free description, at most 140 characters
       * @example Rent
       */
      transferDescription?: string;
    };
    RequestTransfersDto: {
      /** @description Each with a key of its own, unique in the batch */
      items: (components['schemas']['RequestTransferDto'] & {
        idempotencyKey: string;
      })[];
      /**
       * @description `independent`: each stands alone; `atomic`: all or none
       * @default independent
       * @enum {string}
       */
      mode?: 'independent' | 'atomic';
    };
    SandboxAcceptanceDto: {
      /**
       * @description What the payee gives back: all of it, when absent
       * @example 10.50
       */
      amount: string;
    };
    SandboxInfraction: {
      /** @example 10.50 */
      amount: string;
      endToEndId: string;
      /** @description Of the report, at the rail */
      id: string;
      status: components['schemas']['ReportStatus'];
    };
    SandboxInfractionDto: {
      /**
       * @description What is asked back: all of it, when absent
       * @example 10.50
       */
      amount: string;
      /** @example The seller never sent the phone. */
      details: string;
      /**
       * @description Of a payment that came in
       * @example E99999008202611201404abcdefghijk
       */
      endToEndId: string;
      /** @example Scam */
      reason: components['schemas']['FraudReason'];
    };
    SandboxPayerDto: {
      /**
       * @description Branch, four digits
       * @example 0001
       */
      branch: string;
      /**
       * @description Verification digit
       * @example 7
       */
      digit?: string;
      /**
       * @description ISPB of the institution, eight digits or letters
       * @example 60701190
       */
      ispb: string;
      /** @example Fulano de Tal */
      name: string;
      /**
       * @description Account number; its last character is the digit where `digit` is absent
       * @example 123456
       */
      number: string;
      /**
       * @description CPF or CNPJ
       * @example 52998224725
       */
      taxNumber: string;
      /**
       * @description CheckingsAccount when absent
       * @enum {string}
       */
      type?: 'CheckingsAccount' | 'SavingsAccount' | 'SalaryAccount' | 'PaymentAccount';
    };
    SandboxPaymentDto: {
      /**
       * @description What is paid, where it differs from the charge
       * @example 10.50
       */
      amount?: string;
      payer: components['schemas']['SandboxPayerDto'];
      /**
       * @description The copy-and-paste code
       * @example 00020101021226…6304ABCD
       */
      qrCode: string;
    };
    SandboxRecovery: {
      /** @example 10.50 */
      accepted: string | null;
      id: string;
      status: components['schemas']['RailRecoveryStatus'];
    };
    /** @enum {string} */
    ScheduleKind: 'Transfer' | 'CashOut';
    ScheduleRunView: {
      errorReason: string | null;
      /** @description From 1 */
      number: number;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      scheduledFor: string;
      state: components['schemas']['TransactionState'];
      /**
       * Format: uuid
       * @description The transfer or payout, to be read as any other
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      transactionId: string;
    };
    /** @enum {string} */
    ScheduleState: 'Active' | 'Ended' | 'Cancelled';
    /** @enum {string} */
    ScheduleStep: 'week' | 'month';
    ScheduleView: {
      /** @example 10.50 */
      amount: string;
      /** @description Number of runs */
      count: number;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      createdAt: string;
      every: components['schemas']['ScheduleStep'];
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      kind: components['schemas']['ScheduleKind'];
      /**
       * Format: date-time
       * @description Time of the earliest run that waits, or else of the one that is made next; `null` where none is left
       * @example 2026-11-20T14:04:05.123Z
       */
      nextRun: string | null;
      /** @description Of a payout, without the number that each run has after it */
      orderId: string | null;
      /**
       * Format: uuid
       * @description Destination of a transfer
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      refAccountCredit: string | null;
      retryForHours: number | null;
      /** @description Those that were made, oldest first: the newest one waits, or waited, for its time */
      runs: components['schemas']['ScheduleRunView'][];
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      startsAt: string;
      state: components['schemas']['ScheduleState'];
    };
    SecureContactView: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /**
       * Format: date-time
       * @description From then on its limits hold; until then the account's do
       */
      inForceFrom: string;
      limits: components['schemas']['ContactLimitsView'];
      /** @description Empty where the person was forgotten, as the tax number: no payout is to this contact any more */
      name: string;
      /** Format: date-time */
      registeredAt: string;
      taxNumber: string;
    };
    SimulatedPayment: {
      endToEndId: string;
      outcome: components['schemas']['PaidOutcome'];
    };
    StatementLine: {
      /**
       * @description Signed
       * @example 10.50
       */
      amount: string;
      /** @example 10.50 */
      balanceAfter: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      date: string;
      description: string;
      /** @example 8 */
      id: string;
      kind: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      transactionId: string | null;
    };
    /** @enum {string} */
    TransactionState: 'Scheduled' | 'Registered' | 'Completed' | 'Error' | 'Reversed' | 'Cancelled';
    TransactionSummary: {
      accountNumber: string;
      /** @example 10.50 */
      amount: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      date: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      institution: string;
      ispb: string;
      orderId: string | null;
      state: components['schemas']['TransactionState'];
    };
    /** @enum {string} */
    TransactionType: 'Transfer' | 'CashIn' | 'CashOut' | 'Refund';
    TransactionView: {
      /** @description As its type has it */
      payment: {
        [key: string]: unknown;
      } | null;
      transaction: components['schemas']['ReadTransaction'];
      webhook: components['schemas']['NotificationsView'] | null;
    };
    TransferAnswer: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /**
       * Format: date-time
       * @example 2026-11-20T14:04:05.123Z
       */
      retryUntil?: string;
      /**
       * Format: date-time
       * @description Of a transfer that is scheduled, as the next ones
       * @example 2026-11-20T14:04:05.123Z
       */
      scheduledFor?: string;
      /** @description UTC, without a zone; absent while it is scheduled */
      settlementDate?: string;
      /** @enum {string} */
      state?: 'Scheduled';
    };
    TransferEndedDto: {
      data: components['schemas']['TransferNotification'];
      /**
       * Format: date-time
       * @description When it happened
       * @example 2026-11-20T14:04:05.123Z
       */
      timestamp: string;
      /** @enum {string} */
      type: 'transfer.settled' | 'transfer.refused';
    };
    TransferNotification: {
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      accountUid: string;
      /** @example 10.50 */
      amount: string;
      /** @description Of `transfer.refused` */
      errorReason?: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      id: string;
      /**
       * Format: uuid
       * @example 0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e
       */
      refAccountCredit: string;
    };
    TransfersAnswer: {
      counts: components['schemas']['BatchCounts'];
      items: (components['schemas']['DoneTransferItem'] | components['schemas']['RefusedItem'])[];
    };
    UncheckedKey: {
      /** @enum {boolean} */
      keyChecked: false;
    };
    ValidationAccountDto: {
      /**
       * @description Branch, four digits
       * @example 0001
       */
      branch: string;
      /**
       * @description ISPB of the institution, eight digits or letters
       * @example 60701190
       */
      ispb: string;
      /**
       * @description Account number with its verification digit
       * @example 1234567
       */
      number: string;
    };
    ValidationErrorBody: {
      error: {
        details: components['schemas']['FaultDetailBody'][];
        message: string;
        name: string;
      };
      /** @enum {string} */
      statusCode: 'Error';
    };
    WebhookAddressDto: {
      /** @example X-Webhook-Source */
      customHeaderName?: string;
      /** @example payments */
      customHeaderValue?: string;
      /** @example https://partner.example/webhooks/pix */
      url: string;
    };
    WebhookDto: {
      /**
       * @description Header sent along; needs its value
       * @example X-Api-Key
       */
      customHeaderName?: string;
      /**
       * @description Visible ASCII, at most 1024 characters; kept encrypted
       * @example a-secret
       */
      customHeaderValue?: string;
      /**
       * @description Public https address
       * @example https://partner.example/hooks/pix
       */
      url: string;
    };
  };
  responses: never;
  parameters: {
    /** @description nextCursor of the page before */
    cursor: string;
    limit: number;
  };
  requestBodies: never;
  headers: {
    /**
     * @description There where this is the first answer to the `Idempotency-Key` again; of a batch, to each of its keys
     * @example true
     */
    'Idempotent-Replayed': 'true';
    /**
     * @description What is left of it: `r` requests in the next `t` seconds. Absent where the limit is off, or the caller is not known.
     * @example "key";r=499;t=1
     */
    RateLimit: string;
    /**
     * @description The limit: `q` requests in `w` seconds. Absent where the limit is off.
     * @example "key";q=500;w=1
     */
    'RateLimit-Policy': string;
    /**
     * @description Seconds to wait before the next attempt
     * @example 1
     */
    'Retry-After': number;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAccounts: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "uid": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "name": "Loja Exemplo Ltda",
           *             "taxNumber": "11222333000181",
           *             "ispb": "12345678",
           *             "branch": "0001",
           *             "number": "100001",
           *             "digit": "4",
           *             "type": "PaymentAccount",
           *             "class": "Standard",
           *             "status": "Active",
           *             "current": true,
           *             "balance": {
           *               "available": "1000.00",
           *               "held": "0.00",
           *               "blocked": "0.00"
           *             }
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['AccountView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  getAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "uid": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "name": "Loja Exemplo Ltda",
           *         "taxNumber": "11222333000181",
           *         "ispb": "12345678",
           *         "branch": "0001",
           *         "number": "100001",
           *         "digit": "4",
           *         "type": "PaymentAccount",
           *         "class": "Standard",
           *         "status": "Active",
           *         "current": true,
           *         "balance": {
           *           "available": "1000.00",
           *           "held": "0.00",
           *           "blocked": "0.00"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['AccountView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  listContacts: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "name": "Maria Silva",
           *             "taxNumber": "52998224725",
           *             "inForceFrom": "2026-11-20T14:04:05.123Z",
           *             "registeredAt": "2026-11-19T14:04:05.123Z",
           *             "limits": {
           *               "payment": {
           *                 "limit": null,
           *                 "next": null
           *               },
           *               "day": {
           *                 "limit": "20000.00",
           *                 "next": null,
           *                 "used": "500.00",
           *                 "left": "19500.00",
           *                 "from": "2026-11-20T09:00:00.000Z",
           *                 "to": "2026-11-20T23:00:00.000Z"
           *               },
           *               "night": {
           *                 "limit": null,
           *                 "next": null,
           *                 "used": "0.00",
           *                 "left": null,
           *                 "from": "2026-11-20T23:00:00.000Z",
           *                 "to": "2026-11-21T09:00:00.000Z"
           *               },
           *               "month": {
           *                 "limit": null,
           *                 "next": null,
           *                 "used": "12000.00",
           *                 "left": null,
           *                 "from": "2026-11-01T03:00:00.000Z",
           *                 "to": "2026-12-01T03:00:00.000Z"
           *               }
           *             }
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['SecureContactView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  listHolds: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "cause": "Judicial",
           *             "reference": "0001234-56.2026.8.26.0100",
           *             "amount": "1000.00",
           *             "blocked": "300.00",
           *             "released": "0.00",
           *             "executed": "0.00",
           *             "returned": "0.00",
           *             "retryUntil": "2026-12-20T14:04:05.123Z",
           *             "status": "Open",
           *             "placedAt": "2026-11-20T14:04:05.123Z",
           *             "expiresAt": null,
           *             "depositId": null
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['HoldView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  getPayoutLimits: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "payment": {
           *           "limit": "1000.00",
           *           "next": null
           *         },
           *         "day": {
           *           "limit": "5000.00",
           *           "next": {
           *             "limit": "8000.00",
           *             "from": "2026-11-21T14:04:05.123Z"
           *           },
           *           "used": "1200.00",
           *           "left": "3800.00",
           *           "from": "2026-11-20T09:00:00.000Z",
           *           "to": "2026-11-20T23:00:00.000Z"
           *         },
           *         "night": {
           *           "limit": "1000.00",
           *           "next": null,
           *           "used": "0.00",
           *           "left": "1000.00",
           *           "from": "2026-11-20T23:00:00.000Z",
           *           "to": "2026-11-21T09:00:00.000Z"
           *         },
           *         "month": {
           *           "limit": null,
           *           "next": null,
           *           "used": "40200.00",
           *           "left": null,
           *           "from": "2026-11-01T03:00:00.000Z",
           *           "to": "2026-12-01T03:00:00.000Z"
           *         },
           *         "payoutsPerHour": {
           *           "limit": 100,
           *           "next": null,
           *           "used": 3,
           *           "left": 97,
           *           "from": "2026-11-20T14:00:00.000Z",
           *           "to": "2026-11-20T15:00:00.000Z"
           *         },
           *         "nightStartsAt": "20:00",
           *         "nextNightStart": null,
           *         "own": {
           *           "payment": {
           *             "limit": null,
           *             "next": null
           *           },
           *           "day": {
           *             "limit": null,
           *             "next": null,
           *             "used": "500.00",
           *             "left": null,
           *             "from": "2026-11-20T09:00:00.000Z",
           *             "to": "2026-11-20T23:00:00.000Z"
           *           },
           *           "night": {
           *             "limit": null,
           *             "next": null,
           *             "used": "0.00",
           *             "left": null,
           *             "from": "2026-11-20T23:00:00.000Z",
           *             "to": "2026-11-21T09:00:00.000Z"
           *           },
           *           "month": {
           *             "limit": null,
           *             "next": null,
           *             "used": "500.00",
           *             "left": null,
           *             "from": "2026-11-01T03:00:00.000Z",
           *             "to": "2026-12-01T03:00:00.000Z"
           *           }
           *         },
           *         "others": {
           *           "payment": {
           *             "limit": null,
           *             "next": null
           *           },
           *           "day": {
           *             "limit": "3000.00",
           *             "next": null,
           *             "used": "700.00",
           *             "left": "2300.00",
           *             "from": "2026-11-20T09:00:00.000Z",
           *             "to": "2026-11-20T23:00:00.000Z"
           *           },
           *           "night": {
           *             "limit": null,
           *             "next": null,
           *             "used": "0.00",
           *             "left": null,
           *             "from": "2026-11-20T23:00:00.000Z",
           *             "to": "2026-11-21T09:00:00.000Z"
           *           },
           *           "month": {
           *             "limit": null,
           *             "next": null,
           *             "used": "39700.00",
           *             "left": null,
           *             "from": "2026-11-01T03:00:00.000Z",
           *             "to": "2026-12-01T03:00:00.000Z"
           *           }
           *         },
           *         "payee": {
           *           "day": {
           *             "limit": "1000.00",
           *             "next": null,
           *             "from": "2026-11-20T09:00:00.000Z",
           *             "to": "2026-11-20T23:00:00.000Z"
           *           },
           *           "night": {
           *             "limit": null,
           *             "next": null,
           *             "from": "2026-11-20T23:00:00.000Z",
           *             "to": "2026-11-21T09:00:00.000Z"
           *           }
           *         },
           *         "contacts": 2,
           *         "byDefault": [
           *           "night",
           *           "others.day"
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['PayoutLimitsView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  getStatement: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        /** @description ISO 8601 date (midnight UTC) or date-time (UTC where it has no zone), inclusive */
        from?: string;
        limit?: components['parameters']['limit'];
        /** @description ISO 8601 date (midnight UTC) or date-time (UTC where it has no zone), exclusive */
        to?: string;
      };
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "7",
           *             "date": "2026-11-20T14:04:05.123Z",
           *             "kind": "Transfer",
           *             "transactionId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "amount": "-10.50",
           *             "balanceAfter": "989.50",
           *             "description": "Rent"
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['StatementLine'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  getAccountWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "accountUid": "0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b",
           *         "url": "https://partner.example/webhooks/account",
           *         "customHeaderName": null,
           *         "since": "2026-11-20T14:04:05.123Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['AccountWebhookView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  setAccountWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookAddressDto'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "accountUid": "0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b",
           *         "url": "https://partner.example/webhooks/account",
           *         "customHeaderName": null,
           *         "since": "2026-11-20T14:04:05.123Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['AccountWebhookView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  removeAccountWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        uid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "removed": true
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['RemovedAccountWebhook'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  requestCashIn: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestCashInDto'];
      };
    };
    responses: {
      /** @description What the request would do (`dryRun`) */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['DryRunView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
      /** @description Success */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Incomplete",
           *       "data": {
           *         "transaction": {
           *           "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *           "state": "Registered",
           *           "date": "2026-11-20T14:04:05.123Z",
           *           "orderId": "order-1",
           *           "amount": "10.50",
           *           "institution": "Instituicao Exemplo IP S.A.",
           *           "accountNumber": "1000014",
           *           "ispb": "12345678"
           *         },
           *         "payment": {
           *           "qrCode": "00020101021226…6304ABCD",
           *           "qrCodeLocation": "https://pay.example/pix/qrcode/0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['CreatedCashIn'];
            /** @enum {string} */
            statusCode: 'Incomplete';
          };
        };
      };
    };
  };
  cancelCashIn: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "transaction": {
           *           "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *           "state": "Completed",
           *           "date": "2026-11-20T14:04:05.123Z",
           *           "orderId": "order-1",
           *           "amount": "10.50",
           *           "institution": "Instituicao Exemplo IP S.A.",
           *           "accountNumber": "1000014",
           *           "ispb": "12345678",
           *           "type": "CashOut",
           *           "orderDescription": "Supplier",
           *           "charges": "0.00",
           *           "endToEndId": "E1234567820261120140400101234567",
           *           "refundOf": null,
           *           "errorReason": null,
           *           "stateDates": {
           *             "Registered": "2026-11-20T14:04:05.123Z",
           *             "Completed": "2026-11-20T14:04:05.321Z"
           *           }
           *         },
           *         "payment": null,
           *         "webhook": {
           *           "deliveryStatus": "Delivered"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['TransactionView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  refundCashIn: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RefundCashInDto'];
      };
    };
    responses: {
      /** @description What the request would do (`dryRun`) */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['DryRunView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
      /** @description Success */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Incomplete",
           *       "data": {
           *         "transaction": {
           *           "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *           "state": "Registered",
           *           "date": "2026-11-20T14:04:05.123Z",
           *           "orderId": "order-1",
           *           "amount": "10.50",
           *           "institution": "Instituicao Exemplo IP S.A.",
           *           "accountNumber": "1000014",
           *           "ispb": "12345678",
           *           "type": "Refund",
           *           "refundOf": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['CreatedRefund'];
            /** @enum {string} */
            statusCode: 'Incomplete';
          };
        };
      };
    };
  };
  requestCashOut: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestCashOutDto'];
      };
    };
    responses: {
      /** @description What the request would do (`dryRun`) */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['DryRunView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
      /** @description Success */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Incomplete",
           *       "data": {
           *         "transaction": {
           *           "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *           "state": "Registered",
           *           "date": "2026-11-20T14:04:05.123Z",
           *           "orderId": "order-1",
           *           "amount": "10.50",
           *           "institution": "Instituicao Exemplo IP S.A.",
           *           "accountNumber": "1000014",
           *           "ispb": "12345678"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['CreatedCashOut'];
            /** @enum {string} */
            statusCode: 'Incomplete';
          };
        };
      };
    };
  };
  requestRecovery: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RecoveryDto'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Incomplete",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "transactionId": "0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e",
           *         "endToEndId": "E1234567820261120140400000000001",
           *         "reason": "Scam",
           *         "details": "The supplier never existed.",
           *         "amount": "100.00",
           *         "status": "Requested",
           *         "accepted": null,
           *         "refusalCode": null,
           *         "stateDates": {
           *           "Requested": "2026-11-20T14:04:05.123Z"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['RecoveryView'];
            /** @enum {string} */
            statusCode: 'Incomplete';
          };
        };
      };
    };
  };
  requestCashOuts: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestCashOutsDto'];
      };
    };
    responses: {
      /**
       * @description Success
       *
       *     Success, or what the request would do
       */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "idempotencyKey": "payout-1",
           *             "status": 201,
           *             "replayed": false,
           *             "statusCode": "Incomplete",
           *             "data": {
           *               "transaction": {
           *                 "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *                 "state": "Registered",
           *                 "date": "2026-11-20T14:04:05.123Z",
           *                 "orderId": "order-1",
           *                 "amount": "10.50",
           *                 "institution": "Instituicao Exemplo IP S.A.",
           *                 "accountNumber": "1000014",
           *                 "ispb": "12345678"
           *               }
           *             }
           *           }
           *         ],
           *         "counts": {
           *           "done": 1,
           *           "error": 0
           *         }
           *       }
           *     }
           */
          'application/json':
            | {
                data: components['schemas']['CashOutsAnswer'];
                /** @enum {string} */
                statusCode: 'Done';
              }
            | {
                data: components['schemas']['DryRunBatchView'];
                /** @enum {string} */
                statusCode: 'Done';
              };
        };
      };
    };
  };
  decodeCode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DecodeCodeDto'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "kind": "Static",
           *         "canBePaid": true,
           *         "refusal": null,
           *         "receiver": {
           *           "name": "Padaria Aurora",
           *           "city": "SAO PAULO",
           *           "taxNumber": null,
           *           "key": "pix@padaria.example"
           *         },
           *         "amount": "10.50",
           *         "payerMayChangeAmount": false,
           *         "txid": "pedido1",
           *         "description": null,
           *         "expiresAt": null,
           *         "due": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['DecodedCodeView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  listSchedules: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "state": "Active",
           *             "kind": "Transfer",
           *             "every": "month",
           *             "startsAt": "2027-01-31T09:00:00.000Z",
           *             "count": 12,
           *             "retryForHours": 24,
           *             "amount": "10.50",
           *             "refAccountCredit": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "orderId": null,
           *             "createdAt": "2026-11-20T14:04:05.123Z",
           *             "nextRun": "2027-01-31T09:00:00.000Z",
           *             "runs": [
           *               {
           *                 "number": 1,
           *                 "transactionId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *                 "scheduledFor": "2027-01-31T09:00:00.000Z",
           *                 "state": "Scheduled",
           *                 "errorReason": null
           *               }
           *             ]
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['ScheduleView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  createSchedule: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateScheduleDto'];
      };
    };
    responses: {
      /** @description What the request would do (`dryRun`) */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['DryRunView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
      /** @description Success */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Incomplete",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "state": "Active",
           *         "kind": "Transfer",
           *         "every": "month",
           *         "startsAt": "2027-01-31T09:00:00.000Z",
           *         "count": 12,
           *         "retryForHours": 24,
           *         "amount": "10.50",
           *         "refAccountCredit": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "orderId": null,
           *         "createdAt": "2026-11-20T14:04:05.123Z",
           *         "nextRun": "2027-01-31T09:00:00.000Z",
           *         "runs": [
           *           {
           *             "number": 1,
           *             "transactionId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "scheduledFor": "2027-01-31T09:00:00.000Z",
           *             "state": "Scheduled",
           *             "errorReason": null
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ScheduleView'];
            /** @enum {string} */
            statusCode: 'Incomplete';
          };
        };
      };
    };
  };
  getSchedule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "state": "Active",
           *         "kind": "Transfer",
           *         "every": "month",
           *         "startsAt": "2027-01-31T09:00:00.000Z",
           *         "count": 12,
           *         "retryForHours": 24,
           *         "amount": "10.50",
           *         "refAccountCredit": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "orderId": null,
           *         "createdAt": "2026-11-20T14:04:05.123Z",
           *         "nextRun": "2027-01-31T09:00:00.000Z",
           *         "runs": [
           *           {
           *             "number": 1,
           *             "transactionId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "scheduledFor": "2027-01-31T09:00:00.000Z",
           *             "state": "Scheduled",
           *             "errorReason": null
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ScheduleView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  cancelSchedule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "state": "Cancelled",
           *         "kind": "Transfer",
           *         "every": "month",
           *         "startsAt": "2027-01-31T09:00:00.000Z",
           *         "count": 12,
           *         "retryForHours": 24,
           *         "amount": "10.50",
           *         "refAccountCredit": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "orderId": null,
           *         "createdAt": "2026-11-20T14:04:05.123Z",
           *         "nextRun": "2027-01-31T09:00:00.000Z",
           *         "runs": [
           *           {
           *             "number": 1,
           *             "transactionId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "scheduledFor": "2027-01-31T09:00:00.000Z",
           *             "state": "Scheduled",
           *             "errorReason": null
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ScheduleView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  listTransactions: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        /** @description Only the one with this identifier of the rail */
        endToEndId?: string;
        /** @description ISO 8601 date (midnight UTC) or date-time (UTC where it has no zone), inclusive */
        from?: string;
        limit?: components['parameters']['limit'];
        /** @description Only those with this orderId; where orders must be unique, in NFC and trimmed, as they are compared */
        orderId?: string;
        /** @description Only those now in this state */
        state?: 'Scheduled' | 'Registered' | 'Completed' | 'Error' | 'Reversed' | 'Cancelled';
        /** @description ISO 8601 date (midnight UTC) or date-time (UTC where it has no zone), exclusive */
        to?: string;
        /** @description Only this type */
        type?: 'Transfer' | 'CashIn' | 'CashOut' | 'Refund';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "transaction": {
           *               "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *               "state": "Completed",
           *               "date": "2026-11-20T14:04:05.123Z",
           *               "orderId": "order-1",
           *               "amount": "10.50",
           *               "institution": "Instituicao Exemplo IP S.A.",
           *               "accountNumber": "1000014",
           *               "ispb": "12345678",
           *               "type": "CashOut",
           *               "orderDescription": "Supplier",
           *               "charges": "0.00",
           *               "endToEndId": "E1234567820261120140400101234567",
           *               "refundOf": null,
           *               "errorReason": null,
           *               "stateDates": {
           *                 "Registered": "2026-11-20T14:04:05.123Z",
           *                 "Completed": "2026-11-20T14:04:05.321Z"
           *               }
           *             },
           *             "payment": null,
           *             "webhook": {
           *               "deliveryStatus": "Delivered"
           *             }
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['TransactionView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  getTransaction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "transaction": {
           *           "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *           "state": "Completed",
           *           "date": "2026-11-20T14:04:05.123Z",
           *           "orderId": "order-1",
           *           "amount": "10.50",
           *           "institution": "Instituicao Exemplo IP S.A.",
           *           "accountNumber": "1000014",
           *           "ispb": "12345678",
           *           "type": "CashOut",
           *           "orderDescription": "Supplier",
           *           "charges": "0.00",
           *           "endToEndId": "E1234567820261120140400101234567",
           *           "refundOf": null,
           *           "errorReason": null,
           *           "stateDates": {
           *             "Registered": "2026-11-20T14:04:05.123Z",
           *             "Completed": "2026-11-20T14:04:05.321Z"
           *           }
           *         },
           *         "payment": null,
           *         "webhook": {
           *           "deliveryStatus": "Delivered"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['TransactionView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  cancelTransaction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "transaction": {
           *           "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *           "state": "Completed",
           *           "date": "2026-11-20T14:04:05.123Z",
           *           "orderId": "order-1",
           *           "amount": "10.50",
           *           "institution": "Instituicao Exemplo IP S.A.",
           *           "accountNumber": "1000014",
           *           "ispb": "12345678",
           *           "type": "CashOut",
           *           "orderDescription": "Supplier",
           *           "charges": "0.00",
           *           "endToEndId": "E1234567820261120140400101234567",
           *           "refundOf": null,
           *           "errorReason": null,
           *           "stateDates": {
           *             "Registered": "2026-11-20T14:04:05.123Z",
           *             "Completed": "2026-11-20T14:04:05.321Z"
           *           }
           *         },
           *         "payment": null,
           *         "webhook": {
           *           "deliveryStatus": "Delivered"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['TransactionView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  requestTransfer: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestTransferDto'];
      };
    };
    responses: {
      /** @description What the request would do (`dryRun`) */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['DryRunView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
      /** @description Success */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "settlementDate": "2026-11-20T14:04:05.123"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['TransferAnswer'];
            /** @enum {string} */
            statusCode: 'Done' | 'Incomplete';
          };
        };
      };
    };
  };
  requestTransfers: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestTransfersDto'];
      };
    };
    responses: {
      /**
       * @description Success
       *
       *     Success, or what the request would do
       */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "idempotencyKey": "salary-1",
           *             "status": 201,
           *             "replayed": false,
           *             "statusCode": "Done",
           *             "data": {
           *               "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *               "settlementDate": "2026-11-20T14:04:05.123"
           *             }
           *           }
           *         ],
           *         "counts": {
           *           "done": 1,
           *           "error": 0
           *         }
           *       }
           *     }
           */
          'application/json':
            | {
                data: components['schemas']['TransfersAnswer'];
                /** @enum {string} */
                statusCode: 'Done';
              }
            | {
                data: components['schemas']['DryRunBatchView'];
                /** @enum {string} */
                statusCode: 'Done';
              };
        };
      };
    };
  };
  logIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginDto'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "token": "eyJhbGciOiJIUzI1NiIs…",
           *         "tokenType": "Bearer",
           *         "expiresIn": 3600,
           *         "expiresAt": "2026-11-20T15:04:05.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Login'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  listInfractions: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
        /** @description Cases of that status alone */
        status?: 'Open' | 'Defended' | 'Agreed' | 'Rejected' | 'Cancelled' | 'Closed';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "transactionId": "0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e",
           *             "endToEndId": "E99999008202611201404abcdefghijk",
           *             "reason": "Scam",
           *             "details": "The seller never sent the phone.",
           *             "amount": "100.00",
           *             "holdId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f",
           *             "blocked": "80.00",
           *             "status": "Defended",
           *             "ending": null,
           *             "agreed": null,
           *             "returned": "0.00",
           *             "pending": "0.00",
           *             "defence": {
           *               "text": "The goods were delivered.",
           *               "links": [
           *                 "https://shop.example/orders/1234/receipt"
           *               ]
           *             },
           *             "defenceUntil": "2026-11-25T14:04:05.123Z",
           *             "decideUntil": "2026-11-27T14:04:05.123Z",
           *             "returnUntil": "2027-02-18T14:04:05.123Z",
           *             "reportedAt": "2026-11-20T14:04:05.123Z",
           *             "stateDates": {
           *               "Open": "2026-11-20T14:04:05.123Z",
           *               "Defended": "2026-11-21T14:04:05.123Z"
           *             }
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['InfractionView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  readInfraction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "transactionId": "0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e",
           *         "endToEndId": "E99999008202611201404abcdefghijk",
           *         "reason": "Scam",
           *         "details": "The seller never sent the phone.",
           *         "amount": "100.00",
           *         "holdId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f",
           *         "blocked": "80.00",
           *         "status": "Defended",
           *         "ending": null,
           *         "agreed": null,
           *         "returned": "0.00",
           *         "pending": "0.00",
           *         "defence": {
           *           "text": "The goods were delivered.",
           *           "links": [
           *             "https://shop.example/orders/1234/receipt"
           *           ]
           *         },
           *         "defenceUntil": "2026-11-25T14:04:05.123Z",
           *         "decideUntil": "2026-11-27T14:04:05.123Z",
           *         "returnUntil": "2027-02-18T14:04:05.123Z",
           *         "reportedAt": "2026-11-20T14:04:05.123Z",
           *         "stateDates": {
           *           "Open": "2026-11-20T14:04:05.123Z",
           *           "Defended": "2026-11-21T14:04:05.123Z"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['InfractionView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  defendInfraction: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DefenceDto'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "transactionId": "0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e",
           *         "endToEndId": "E99999008202611201404abcdefghijk",
           *         "reason": "Scam",
           *         "details": "The seller never sent the phone.",
           *         "amount": "100.00",
           *         "holdId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f",
           *         "blocked": "80.00",
           *         "status": "Defended",
           *         "ending": null,
           *         "agreed": null,
           *         "returned": "0.00",
           *         "pending": "0.00",
           *         "defence": {
           *           "text": "The goods were delivered.",
           *           "links": [
           *             "https://shop.example/orders/1234/receipt"
           *           ]
           *         },
           *         "defenceUntil": "2026-11-25T14:04:05.123Z",
           *         "decideUntil": "2026-11-27T14:04:05.123Z",
           *         "returnUntil": "2027-02-18T14:04:05.123Z",
           *         "reportedAt": "2026-11-20T14:04:05.123Z",
           *         "stateDates": {
           *           "Open": "2026-11-20T14:04:05.123Z",
           *           "Defended": "2026-11-21T14:04:05.123Z"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['InfractionView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  listPayoutFiles: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "accountUid": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f",
           *             "state": "Running",
           *             "format": "csv",
           *             "digest": "XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=",
           *             "lines": 3,
           *             "amount": "31.50",
           *             "counts": {
           *               "waiting": 3,
           *               "registered": 0,
           *               "completed": 0,
           *               "error": 0,
           *               "reversed": 0,
           *               "cancelled": 0
           *             },
           *             "amounts": {
           *               "waiting": "31.50",
           *               "registered": "0.00",
           *               "completed": "0.00",
           *               "error": "0.00",
           *               "reversed": "0.00",
           *               "cancelled": "0.00"
           *             },
           *             "acceptedAt": "2026-11-20T14:04:05.123Z",
           *             "endedAt": null
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['PayoutFileView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  acceptPayoutFile: {
    parameters: {
      query?: {
        /** @description Only tells what the request would do: the same refusal, or 200 with postings and balance. Nothing is kept. A partner's key needs the permission accounts:read too. */
        dryRun?: boolean;
      };
      header?: {
        /** @description 1 to 255 visible ASCII characters. The same key with the same request gives the first answer again. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/jsonl': string;
        'application/x-ndjson': string;
        'text/csv': string;
      };
    };
    responses: {
      /** @description What the request would do (`dryRun`) */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['PayoutFileDryRunView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
      /** @description Success */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Incomplete",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "accountUid": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f",
           *         "state": "Running",
           *         "format": "csv",
           *         "digest": "XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=",
           *         "lines": 3,
           *         "amount": "31.50",
           *         "counts": {
           *           "waiting": 3,
           *           "registered": 0,
           *           "completed": 0,
           *           "error": 0,
           *           "reversed": 0,
           *           "cancelled": 0
           *         },
           *         "amounts": {
           *           "waiting": "31.50",
           *           "registered": "0.00",
           *           "completed": "0.00",
           *           "error": "0.00",
           *           "reversed": "0.00",
           *           "cancelled": "0.00"
           *         },
           *         "acceptedAt": "2026-11-20T14:04:05.123Z",
           *         "endedAt": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['PayoutFileView'];
            /** @enum {string} */
            statusCode: 'Incomplete';
          };
        };
      };
    };
  };
  getPayoutFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "accountUid": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f",
           *         "state": "Running",
           *         "format": "csv",
           *         "digest": "XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=",
           *         "lines": 3,
           *         "amount": "31.50",
           *         "counts": {
           *           "waiting": 3,
           *           "registered": 0,
           *           "completed": 0,
           *           "error": 0,
           *           "reversed": 0,
           *           "cancelled": 0
           *         },
           *         "amounts": {
           *           "waiting": "31.50",
           *           "registered": "0.00",
           *           "completed": "0.00",
           *           "error": "0.00",
           *           "reversed": "0.00",
           *           "cancelled": "0.00"
           *         },
           *         "acceptedAt": "2026-11-20T14:04:05.123Z",
           *         "endedAt": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['PayoutFileView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  cancelPayoutFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "accountUid": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f",
           *         "state": "Running",
           *         "format": "csv",
           *         "digest": "XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=",
           *         "lines": 3,
           *         "amount": "31.50",
           *         "counts": {
           *           "waiting": 3,
           *           "registered": 0,
           *           "completed": 0,
           *           "error": 0,
           *           "reversed": 0,
           *           "cancelled": 0
           *         },
           *         "amounts": {
           *           "waiting": "31.50",
           *           "registered": "0.00",
           *           "completed": "0.00",
           *           "error": "0.00",
           *           "reversed": "0.00",
           *           "cancelled": "0.00"
           *         },
           *         "acceptedAt": "2026-11-20T14:04:05.123Z",
           *         "endedAt": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['PayoutFileView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  getPayoutFileResults: {
    parameters: {
      query?: {
        /** @description That of the file if absent */
        format?: 'csv' | 'jsonl';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /** @example {"line":2,"orderId":"order-1","value":"10.50","state":"Registered","transactionId":"0199d1f0-…","endToEndId":"E9999…","error":null} */
          'application/x-ndjson': string;
          /**
           * @example line,orderId,value,state,transactionId,endToEndId,error
           *     2,order-1,10.50,Registered,0199d1f0-…,E9999…,
           */
          'text/csv': string;
        };
      };
    };
  };
  listRecoveries: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "transactionId": "0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e",
           *             "endToEndId": "E1234567820261120140400000000001",
           *             "reason": "Scam",
           *             "details": "The supplier never existed.",
           *             "amount": "100.00",
           *             "status": "Requested",
           *             "accepted": null,
           *             "refusalCode": null,
           *             "stateDates": {
           *               "Requested": "2026-11-20T14:04:05.123Z"
           *             }
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['RecoveryView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  readRecovery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "transactionId": "0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e",
           *         "endToEndId": "E1234567820261120140400000000001",
           *         "reason": "Scam",
           *         "details": "The supplier never existed.",
           *         "amount": "100.00",
           *         "status": "Requested",
           *         "accepted": null,
           *         "refusalCode": null,
           *         "stateDates": {
           *           "Requested": "2026-11-20T14:04:05.123Z"
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['RecoveryView'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: components['parameters']['cursor'];
        limit?: components['parameters']['limit'];
        /** @description Deliveries in one status */
        status?: 'Pending' | 'Retrying' | 'Delivered' | 'Stopped' | 'Exhausted';
        /** @description Deliveries of one transaction */
        transactionId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "items": [
           *           {
           *             "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *             "transactionId": "0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b",
           *             "transactionState": "Completed",
           *             "type": null,
           *             "url": "https://partner.example/webhooks/pix",
           *             "status": "Retrying",
           *             "nextAttemptAt": "2026-11-20T14:09:05.123Z",
           *             "attempts": [
           *               {
           *                 "number": 1,
           *                 "startedAt": "2026-11-20T14:04:05.123Z",
           *                 "durationMs": 31,
           *                 "httpStatus": 500,
           *                 "error": null
           *               },
           *               {
           *                 "number": 2,
           *                 "startedAt": "2026-11-20T14:04:10.201Z",
           *                 "durationMs": 15000,
           *                 "httpStatus": null,
           *                 "error": "Timeout"
           *               }
           *             ]
           *           }
           *         ],
           *         "nextCursor": null
           *       }
           *     }
           */
          'application/json': {
            data: {
              items: components['schemas']['DeliveryView'][];
              nextCursor: string | null;
            };
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  redeliverWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      202: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "deliveryId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['AcceptedDelivery'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookAddressDto'];
      };
    };
    responses: {
      /** @description Success */
      202: {
        headers: {
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "deliveryId": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['AcceptedDelivery'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  readBehaviour: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "notifications": "deliver",
           *         "delayMs": 0,
           *         "copies": 1,
           *         "refunds": "settle"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Behaviour'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  changeBehaviour: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BehaviourDto'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "notifications": "drop",
           *         "delayMs": 0,
           *         "copies": 1,
           *         "refunds": "settle"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Behaviour'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  reportInfraction: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SandboxInfractionDto'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "b8d19bd4-51dc-4784-a2ad-52807c6dfc80",
           *         "endToEndId": "E99999008202611201404abcdefghijk",
           *         "amount": "10.50",
           *         "status": "Open"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['SandboxInfraction'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  readReport: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "b8d19bd4-51dc-4784-a2ad-52807c6dfc80",
           *         "endToEndId": "E99999008202611201404abcdefghijk",
           *         "amount": "10.50",
           *         "status": "Open"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['SandboxInfraction'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  cancelReport: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "b8d19bd4-51dc-4784-a2ad-52807c6dfc80",
           *         "endToEndId": "E99999008202611201404abcdefghijk",
           *         "amount": "10.50",
           *         "status": "Cancelled"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['SandboxInfraction'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  simulatePayment: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SandboxPaymentDto'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "endToEndId": "E99999008202611201404abcdefghijk",
           *         "outcome": "Settled"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['SimulatedPayment'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  acceptRecovery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['SandboxAcceptanceDto'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "b8d19bd4-51dc-4784-a2ad-52807c6dfc80",
           *         "status": "Accepted",
           *         "accepted": "10.50"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['SandboxRecovery'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  refuseRecovery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "b8d19bd4-51dc-4784-a2ad-52807c6dfc80",
           *         "status": "Refused",
           *         "accepted": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['SandboxRecovery'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  completePayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "state": "Completed"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ForcedTransaction'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  failPayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "state": "Error"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ForcedTransaction'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
  reversePayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": "Done",
           *       "data": {
           *         "id": "0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e",
           *         "state": "Reversed"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ForcedTransaction'];
            /** @enum {string} */
            statusCode: 'Done';
          };
        };
      };
    };
  };
}
