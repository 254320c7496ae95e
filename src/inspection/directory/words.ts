import { AccountOpened, PartnerRegistered } from '../../accounts/index.js';
import { AccessKeyIssued } from '../../auth/index.js';
import type { RecordedEvent, Sealed } from '../../event-store/index.js';

export type DirectoryKind = 'Partner' | 'Account' | 'AccessKey';

/** The searchable fields of a holder. */
interface Named {
  readonly name: string;
  readonly taxNumber?: string;
  readonly number?: string;
  readonly digit?: string;
}

/** An entity that an event adds to the directory. */
export interface Listed {
  readonly kind: DirectoryKind;
  readonly uid: string;
  readonly partnerUid: string;
  readonly position: bigint;
  /** Personal data, sealed; `null` without any. */
  readonly holder: Sealed<Named> | null;
  /** A label without personal data. */
  readonly label: string;
}

/** The events that add to the directory. */
export const LISTED_EVENTS = [PartnerRegistered, AccountOpened, AccessKeyIssued];

export function listedOf(event: RecordedEvent): readonly Listed[] {
  const { position } = event;
  if (PartnerRegistered.is(event)) {
    const { uid, holder } = event.data;
    return [{ kind: 'Partner', uid, partnerUid: uid, position, holder, label: '' }];
  }
  if (AccountOpened.is(event)) {
    const { uid, partnerUid, holder } = event.data;
    return [{ kind: 'Account', uid, partnerUid, position, holder, label: '' }];
  }
  if (AccessKeyIssued.is(event)) {
    const { id, partnerUid, name } = event.data;
    return [{ kind: 'AccessKey', uid: id, partnerUid, position, holder: null, label: name ?? '' }];
  }
  return [];
}

/** Longer names are found by their first words only. */
const MAX_WORDS = 24;

/** Words of a name, without case and diacritics. */
export function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Search terms before hashing, with their kind: a word never matches a number. */
export const TERMS = {
  word: (word: string) => `word|${word}`,
  taxNumber: (taxNumber: string) => `tax-number|${taxNumber}`,
  accountNumber: (number: string) => `account-number|${number}`,
} as const;

/** An account's number is found with its digit and without. */
export function termsOf({ name, taxNumber, number, digit }: Named): string[] {
  return [
    ...wordsOf(name).map(TERMS.word),
    ...(taxNumber ? [TERMS.taxNumber(taxNumber)] : []),
    ...(number ? [TERMS.accountNumber(number), TERMS.accountNumber(`${number}${digit ?? ''}`)] : []),
  ];
}
