import { describe, expect, it } from '@jest/globals';
import { parseIspb } from './ispb.js';

describe('parseIspb', () => {
  it.each([
    ['digits', '60701190', '60701190'],
    ['letters', 'AB12CD34', 'AB12CD34'],
    ['lower case, as capitals', 'ab12cd34', 'AB12CD34'],
    ['seven characters', '6070119', undefined],
    ['nine characters', '607011900', undefined],
    ['a space', '6070119 ', undefined],
    ['a line break', '60701190\n', undefined],
    ['letters of another alphabet', 'АB12CD34', undefined],
    ['a letter that becomes two', 'ßB12CD3', undefined],
    ['a letter that becomes one of ASCII', 'ıB12CD34', undefined],
    ['digits of another script', '٦0701190', undefined],
  ])('reads %s', (_what, text, expected) => {
    expect(parseIspb(text)).toBe(expected);
  });
});
