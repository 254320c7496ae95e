import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { parseTaxNumber } from '../tax-number.js';
import { requestOf } from './request-of.js';

const SANE = /^[\w.:/+=@-]{1,128}$/;
const EMAIL_OR_PHONE = /@[^@]*\.|^\+\d+$/;
const LIKE_A_CPF = /(?<!\w)(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})(?!\w)/g;

/**
 * The caller's `x-request-id` if it is a sane token, else a new one. It goes to the log, and with events for ever, so
 * that one which names a person (with a CPF, an e-mail address or a phone's number) is none.
 */
export function requestIdOf(headers: Record<string, unknown>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) && !namesAPerson(given) ? given : randomUUID();
}

function namesAPerson(token: string): boolean {
  return EMAIL_OR_PHONE.test(token) || (token.match(LIKE_A_CPF) ?? []).some((digits) => parseTaxNumber(digits));
}

/** The request's id, for the metadata of events. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).id);
