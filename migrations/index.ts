import { EventStore1763635200000 } from './1763635200000-event-store.js';
import { Accounts1763638800000 } from './1763638800000-accounts.js';
import { Transactions1763642400000 } from './1763642400000-transactions.js';

/** In order; forward only. */
export const migrations = [EventStore1763635200000, Accounts1763638800000, Transactions1763642400000];
