import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { PersonalDataCodec } from './personal-data-codec.js';

const codec = new PersonalDataCodec(Buffer.alloc(32, 1));
const another = new PersonalDataCodec(Buffer.alloc(32, 2));
const bytes = Buffer.alloc(32, 3);
const key = createSecretKey(bytes);
const subject = codec.newSubjectKey('subject', codec.lookupOf({ clear: 'somebody' }));

/** Each kind of box: what it is made of, and what is read from it, as whom and at which place. */
const boxes: [string, Buffer, (by: PersonalDataCodec, box: Buffer, of: string) => unknown, unknown][] = [
  [
    'a sealed value',
    Buffer.from(codec.seal('subject', key, 70).sealed, 'base64'),
    (by, box, of) => by.open({ subject: of, sealed: box.toString('base64') }, key),
    70,
  ],
  [
    "a subject's key",
    subject.wrapped,
    (by, wrapped, id) => by.unwrap({ ...subject, id, wrapped }).export().length,
    bytes.length,
  ],
  ['work data', codec.sealAt('subject', bytes, 'Maria'), (by, box, at) => by.openAt(at, bytes, box), 'Maria'],
  ['a secret', codec.sealSecret('subject', 'Maria'), (by, box, id) => by.openSecret(id, box), 'Maria'],
];

describe.each(boxes)('%s', (_what, box, open, value) => {
  it('is opened where it belongs, and nowhere else', () => {
    expect(open(codec, box, 'subject')).toBe(value);
    expect(() => open(codec, box, 'subject2')).toThrow();
  });

  it('of which one bit is another is not opened', () => {
    for (const at of box.keys()) {
      const changed = Buffer.from(box);
      changed[at]! ^= 1;
      expect(() => open(codec, changed, 'subject')).toThrow('unable to authenticate data');
    }
  });
});

it('keys, and secrets, are opened under the master key that wrapped them alone', () => {
  expect(() => another.unwrap(subject)).toThrow();
  expect(() => another.openSecret('subject', codec.sealSecret('subject', 'Maria'))).toThrow();
  expect(() => another.useLookupKey(codec.wrapLookupKey(codec))).toThrow();
});

it('what was stored before is opened: nonce, text and tag follow one another', () => {
  const stored = Buffer.from('zUX+rKKKRtaC3rM9hQYzfqJzCrTWZEVLqqYZ329Uq5Ii', 'base64');
  expect(codec.openSecret('subject', stored)).toBe('Maria');
});

it('look-ups stay those of the master key before, once its key is taken over', () => {
  const somebody = { clear: 'somebody' };
  const next = new PersonalDataCodec(Buffer.alloc(32, 2));
  expect(next.lookupOf(somebody)).not.toEqual(codec.lookupOf(somebody));
  next.useLookupKey(codec.wrapLookupKey(another));
  expect(next.lookupOf(somebody)).toEqual(codec.lookupOf(somebody));
});
