import { expect, it } from '@jest/globals';
import type { AttemptErrorCode } from '../../platform/outbound/attempt-error.js';
import { attemptOutcome, isAlive } from './send-webhook.js';

it.each<[number | null, AttemptErrorCode | null, ReturnType<typeof attemptOutcome>, boolean | undefined]>([
  [199, null, 'Failed', true],
  [200, null, 'Delivered', true],
  [299, null, 'Delivered', true],
  [300, null, 'Failed', true],
  [400, null, 'Failed', true],
  // It asks for a pause, or did not read what was sent: single probes spare it.
  [408, null, 'Failed', false],
  [410, null, 'Gone', true],
  [429, null, 'Failed', false],
  [499, null, 'Failed', true],
  [500, null, 'Failed', false],
  [200, 'Timeout', 'Failed', false],
  [302, 'RedirectNotFollowed', 'Failed', false],
  [null, 'ConnectionFailed', 'Failed', false],
  [null, null, 'Failed', false],
  [null, 'NotPrepared', 'Failed', undefined],
])(
  'an attempt with the status %p and the error %p is %s; its receiver works: %p',
  (httpStatus, error, outcome, alive) => {
    expect(attemptOutcome({ httpStatus, error })).toBe(outcome);
    expect(isAlive({ httpStatus, error })).toBe(alive);
  },
);
