import '../contradictions.js';

export * from './cash-in.events.js';
export * from './cash-out.events.js';
export * from './payment.events.js';
export * from './reconciliation.events.js';
export * from './refund.events.js';
export type * from './shared.js';
