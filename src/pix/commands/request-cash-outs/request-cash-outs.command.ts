import { Command } from '@nestjs/cqrs';
import type { LoadedRows, Preview, Reads } from '../../../event-store/index.js';
import type { Principal } from '../../../auth/index.js';
import type { AppError } from '../../../platform/errors/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { AcceptedCashOut } from '../request-cash-out/cash-out.answer.js';
import type { RequestedCashOut } from '../requested-cash-out.js';
import { Homed } from '../../../platform/workers/index.js';

export interface KeyedCashOut {
  readonly cashOut: RequestedCashOut;
  readonly idempotency: IdempotentRequest;
}

/** Lines of a payout file. It is decided in the commit of each whether the file still runs. */
export interface LinesOf {
  readonly file: string;
  readonly reads: Reads;
  /** @throws a refusal when no payout of the file may be registered any more */
  readonly assertRuns: (rows: LoadedRows) => void;
}

/** Several cash-outs, in their order, each by itself. Each one's result, or why it was refused. */
@Homed<RequestCashOuts>(({ lines, caller }) => (lines ? undefined : caller.partition), 'always')
export class RequestCashOuts extends Command<readonly (AcceptedCashOut | AppError)[]> {
  constructor(
    readonly caller: Principal,
    /** At least one. */
    readonly cashOuts: readonly KeyedCashOut[],
    readonly requestId: string,
    /** Of the whole. */
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
    /** Present if they are lines of a file. */
    readonly lines?: LinesOf,
  ) {
    super();
  }
}
