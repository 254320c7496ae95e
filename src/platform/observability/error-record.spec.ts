import { describe, expect, it } from '@jest/globals';
import { errorRecord } from './error-record.js';

describe('what is logged of an error', () => {
  it('is its type, message, code and stack, not what drivers hang on it', () => {
    const detail = 'Failing row contains (52998224725)';
    const error = Object.assign(new RangeError('violates a check'), { code: '23514', detail, parameters: [detail] });
    const { stack, ...record } = errorRecord(error);
    expect(record).toEqual({ type: 'RangeError', message: 'violates a check', code: '23514' });
    expect(stack).toContain('error-record.spec');
    expect(JSON.stringify(errorRecord(error))).not.toContain('52998224725');
  });

  it('goes down to its causes, and not for ever', () => {
    const inner = new Error('inner');
    const outer = new Error('outer', { cause: inner });
    inner.cause = outer;
    expect(errorRecord(outer)).toMatchObject({
      message: 'outer',
      cause: { message: 'inner', cause: { message: 'outer' } },
    });
    const several = new AggregateError([new Error('a'), new Error('b')], 'both');
    expect(errorRecord(several).errors).toMatchObject([{ message: 'a' }, { message: 'b' }]);
  });

  it('says nothing of what is thrown and no error', () => {
    expect(JSON.stringify(errorRecord({ secret: 'x' }))).not.toContain('secret');
  });
});
