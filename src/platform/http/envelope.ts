/** The body of every success answer, decisions 1. */
export interface Envelope<T> {
  readonly statusCode: 'Done' | 'Incomplete';
  readonly data: T;
}

export function done<T>(data: T): Envelope<T> {
  return { statusCode: 'Done', data };
}

/** Accepted; a later change of state will follow. */
export function incomplete<T>(data: T): Envelope<T> {
  return { statusCode: 'Incomplete', data };
}
