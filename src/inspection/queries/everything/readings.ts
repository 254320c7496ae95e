import { parseTaxNumber } from '../../../platform/tax-number.js';
import { wordsOf } from '../../directory/words.js';

/** The possible meanings of a search text. */
export interface Readings {
  /** In canonical form: hyphens and lower case. */
  readonly ids: readonly string[];
  /** The end of an identifier, as lists show it. */
  readonly tail: string | undefined;
  readonly endToEndIds: readonly string[];
  readonly orderIds: readonly string[];
  readonly taxNumber: string | undefined;
  /** In the form of the search filter. */
  readonly amount: string | undefined;
  readonly accountNumber: string | undefined;
  readonly words: readonly string[];
}

const UUID = /(?<![0-9a-f])([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})/gi;
/** BCB, "Manual Operacional do DICT": payments have an E, returns a D. */
const END_TO_END_ID = /(?<![0-9A-Za-z])[ED][0-9A-Z]{8}\d{12}[0-9A-Za-z]{11}(?![0-9A-Za-z])/g;
const MAX_OF_A_KIND = 3;

/**
 * The possible meanings of a pasted text: with quotes, brackets or a label around it ("CPF: …", "id=…"), in a URL or a
 * QR code's text, with or without local separators.
 */
export function readingsOf(pasted: string): Readings {
  const text = bare(pasted);
  const labelled = /^[\p{L}\s._-]{1,24}[:=](.+)$/su.exec(text)?.[1];
  const texts = [...new Set([text, ...(labelled === undefined ? [] : [bare(labelled)])])].filter((one) => one !== '');
  const first = <T>(read: (text: string) => T | undefined) => texts.map(read).find((one) => one !== undefined);
  const ids = [...text.matchAll(UUID)].map((match) => match.slice(1).join('-').toLowerCase());
  return {
    ids: [...new Set(ids)].slice(0, MAX_OF_A_KIND),
    tail: first((one) => (/^[0-9a-f]{12}$/i.test(one) ? one.toLowerCase() : undefined)),
    endToEndIds: [...new Set(text.match(END_TO_END_ID) ?? [])].slice(0, MAX_OF_A_KIND),
    orderIds: [...new Set([pasted.trim(), ...texts].flatMap((one) => [one, one.normalize('NFC')]))],
    taxNumber: first((one) => parseTaxNumber(one.replace(/\s/g, ''))?.value),
    amount: first(amountOf),
    accountNumber: first(accountNumberOf),
    // A text with an identifier is no name.
    words: ids.length > 0 ? [] : wordsOf(texts.at(-1) ?? '').filter((word) => !/^\d+$/.test(word)),
  };
}

/** Without surrounding punctuation of the source. */
function bare(text: string): string {
  return text.replace(/^[\s"'`“”‘’<>(){}[\]…,;]+|[\s"'`“”‘’<>(){}[\]…,;]+$/g, '').replace(/^\.{2,}/, '');
}

/**
 * "R$ 1.234,50", "1,234.50", "1234.5", "150": of both separators the last one is the decimal separator; a single one
 * before three digits is a thousands separator.
 */
export function amountOf(text: string): string | undefined {
  const digits = text.replace(/^[-+]?\s*(R\$|BRL)?\s*[-+]?/i, '').replace(/[\s\u00a0]/g, '');
  if (!/^\d[\d.,]*$/.test(digits)) return undefined;
  const mark = /[.,](?=\d{1,2}$)/.exec(digits)?.[0];
  const [whole, cents = ''] =
    mark === undefined
      ? [digits]
      : [digits.slice(0, digits.lastIndexOf(mark)), digits.slice(digits.lastIndexOf(mark) + 1)];
  const thousands = mark === undefined ? '[.,]' : mark === '.' ? ',' : '\\.';
  if (!new RegExp(`^(\\d+|\\d{1,3}((${thousands})\\d{3})+)$`).test(whole)) return undefined;
  const plain = whole.replace(/[.,]/g, '');
  // That many digits without a separator are an identifier.
  if (plain.length > (mark === undefined ? 9 : 13)) return undefined;
  return `${plain}.${cents.padEnd(2, '0')}`;
}

const LONGEST_ACCOUNT_NUMBER = 60;

/** "0001 / 100001-4", "100001-4", "1000014", "100001", with or without "ag" and "cc". */
export function accountNumberOf(text: string): string | undefined {
  // The expression tries all ways to divide spaces and letters.
  if (text.length > LONGEST_ACCOUNT_NUMBER) return undefined;
  const match =
    /^(?:(?:ag\p{L}*\.?\s*)?\d{4}\s*[/|,\s-]\s*)?(?:c\p{L}*[./]?\p{L}*\s*)?(\d{4,12})(?:\s*-\s*(\d))?$/iu.exec(text);
  return match ? `${match[1]}${match[2] ?? ''}` : undefined;
}
