import { describe, expect, it } from '@jest/globals';
import { readEvent } from './event-data.js';

describe('a stored event', () => {
  const posting = { account: 'a', bucket: 'available', amount: '-1050', entry: 2, balance: '0' };

  it('has its postings, its origin and its payload without ciphertext', () => {
    const data = { id: 't', reason: { subject: 's', sealed: 'AAAA' }, postings: [posting] };
    const read = readEvent(JSON.stringify(data), '{"actor":"operator:ana","requestId":"r","n":1}');
    expect(read.postings).toEqual([posting]);
    expect(read.metadata).toEqual({ actor: 'operator:ana', requestId: 'r' });
    expect(read.payload).not.toContain('AAAA');
    expect(read.payload).toContain('sealed personal data of subject s');
  });

  it('is shown as text when its form is unexpected', () => {
    expect(readEvent('<script>', 'x')).toEqual({ postings: [], metadata: {}, payload: '<script>' });
    expect(readEvent('{"postings":[{"amount":"1e9"}, null]}', '{}').postings).toEqual([]);
  });
});
