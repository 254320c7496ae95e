/** The body of every success answer, decisions 1. */
export interface Envelope<T> {
  readonly statusCode: 'Done' | 'Incomplete';
  readonly data: T;
}

/** Its type after JSON. */
export type Json<T> = T extends Date
  ? string
  : T extends object
    ? { readonly [Member in keyof T]: Json<T[Member]> }
    : T;

export function done<const T>(data: T): Envelope<T> {
  return { statusCode: 'Done', data };
}

/** Accepted; a later change of state will follow. */
export function incomplete<const T>(data: T): Envelope<T> {
  return { statusCode: 'Incomplete', data };
}

declare const CONTENT: unique symbol;

/** The JSON of an answer that several requests are given: it is made once. Its handler names the content type. */
export type JsonText<T> = string & { readonly [CONTENT]: T };

export function jsonText<T>(answer: T): JsonText<T> {
  return JSON.stringify(answer) as JsonText<T>;
}
