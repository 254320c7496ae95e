import { expect, it } from '@jest/globals';
import { filtersOfText } from './filters-of-text.js';

it.each([
  ['20/11/2026', { from: '2026-11-20', to: '2026-11-20' }],
  [' 2026-11-20 ', { from: '2026-11-20', to: '2026-11-20' }],
  ['reversed', { state: 'Reversed' }],
  ['pedido-77', null],
  ['52998224725', null],
])('"%s" is %j', (typed, filters) => {
  expect(filtersOfText(typed)).toEqual(filters);
});
