import { describe, expect, it } from '@jest/globals';
import { type Authenticated, isCounted, maySee } from './principal.js';

const of = (request: object, status: number) => isCounted(request as Authenticated, status);
const viewer = { partnerUid: 'a partner' };

describe('an answer', () => {
  it.each([
    ['a partner', { principal: {} }, 503],
    ['an operator', { operator: { name: 'one' }, viewer }, 503],
    ['an auditor', { viewer }, 200],
    ['an auditor', { viewer }, 404],
    ['an auditor', { viewer }, 499],
  ])('to %s has a limit of its own', (_caller, request, status) => expect(of(request, status)).toBe(true));

  it.each([
    ['an auditor whose turn does not come', { viewer }, 503],
    ['an auditor', { viewer }, 500],
    ['anybody', {}, 200],
  ])('to %s has none', (_caller, request, status) => expect(of(request, status)).toBe(false));
});

it.each([
  [null, 'a partner', true],
  ['a partner', 'a partner', true],
  ['a partner', 'another', false],
  ['', 'another', false],
])('a viewer of %j may see %j: %p', (partnerUid, partner, may) => expect(maySee({ partnerUid }, partner)).toBe(may));
