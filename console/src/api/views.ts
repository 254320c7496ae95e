import type { Data, Item } from './client.js';

/** Answers of the service that more than one file shows. */
export type Account = Data<'/audit/accounts/{uid}'>;
export type Overview = Data<'/audit/overview'>;
export type Partner = Data<'/audit/partners/{uid}'>;
export type Session = Data<'/console/session'>;
export type StoredEvent = Item<'/audit/transactions/{id}/events'>;
export type Transaction = Data<'/audit/transactions/{id}'>;
