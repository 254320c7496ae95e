import { parseIspb } from '../../../platform/ispb.js';

/**
 * The rail's identifiers: EndToEndId of a payment (`E…`) and the identifier of a return (`D…`), each
 * `E|D` + ISPB (8 digits or capitals) + UTC minute `yyyyMMddHHmm` (12) + 11 letters or digits, 32 characters in all.
 * Source: BCB, "Manual das Interfaces de Comunicação" (SPI), `EndToEndIdentification` and `ReturnIdentification`.
 */
export type EndToEndIdPrefix = 'E' | 'D';

export interface EndToEndId {
  readonly prefix: EndToEndIdPrefix;
  readonly ispb: string;
  /** The minute in it (UTC). */
  readonly at: Date;
  /** The last 11 characters; in ours the first three are the ledger partition. */
  readonly sequence: string;
}

export interface EndToEndIdParts {
  readonly prefix: EndToEndIdPrefix;
  /** The institution that makes the identifier. */
  readonly ispb: string;
  readonly at: Date;
  /** Ledger partition, 0–4095. */
  readonly partition: number;
  /** At least eight random bytes. */
  readonly random: Uint8Array;
}

const SHAPE = /^([ED])([0-9A-Za-z]{8})([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9A-Za-z]{11})$/;
const PARTITION = /^[0-9a-z]{3}$/;
const FOUR_DIGIT_YEAR = /^[0-9]{4}-/;
const LAST_PARTITION = 0xfff;
const RANDOM_BYTES = 8;
const RANDOM_CHARACTERS = 8;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = ALPHABET.length;

/**
 * Makes an identifier of ours. Eight characters of base 62 are 47 random bits a minute and partition: unique for all
 * practical purposes; the ledger's unique key guarantees it. Throws `RangeError` for parts out of range.
 */
export function makeEndToEndId({ prefix, ispb, at, partition, random }: EndToEndIdParts): string {
  if (parseIspb(ispb) !== ispb) throw new RangeError('ISPB is not eight digits or capitals');
  if (!Number.isInteger(partition) || partition < 0 || partition > LAST_PARTITION) {
    throw new RangeError('partition is not a whole number from 0 to 4095');
  }
  if (random.length < RANDOM_BYTES) throw new RangeError('fewer than eight random bytes');
  return `${prefix}${ispb}${minuteOf(at)}${partition.toString(36).padStart(3, '0')}${randomCharacters(random)}`;
}

const MINUTE_MS = 60_000;
/** The minute of the identifier before, as it is written. */
let newest = { since: NaN, written: '' };

function minuteOf(at: Date): string {
  const since = Math.floor(at.getTime() / MINUTE_MS);
  if (since === newest.since) return newest.written;
  const written = at.toISOString();
  if (!FOUR_DIGIT_YEAR.test(written)) throw new RangeError('the year has not four digits');
  newest = { since, written: written.replace(/[^0-9]/g, '').slice(0, 12) };
  return newest.written;
}

/**
 * Reads an identifier, ours or a foreign one, its ISPB in capitals; `undefined` for another shape or a minute that does
 * not exist.
 */
export function parseEndToEndId(text: string): EndToEndId | undefined {
  const [, prefix, institution = '', year, month, day, hour, minute, sequence = ''] = SHAPE.exec(text) ?? [];
  if (prefix !== 'E' && prefix !== 'D') return undefined;
  const written = `${year}-${month}-${day}T${hour}:${minute}:00.000Z`;
  const at = new Date(written);
  // A day that does not exist (30 February) parses as one that does: it must come back as it was written.
  const ispb = parseIspb(institution);
  if (ispb === undefined || Number.isNaN(at.getTime()) || at.toISOString() !== written) return undefined;
  return { prefix, ispb, at, sequence };
}

/**
 * The ledger partition in an identifier that the institution `ispb` made; `undefined` for foreign ones, whose last
 * characters mean nothing to us. A hint for routing, never a proof that the identifier is ours.
 */
export function partitionOfEndToEndId(text: string, ispb: string): number | undefined {
  const id = parseEndToEndId(text);
  const written = id?.sequence.slice(0, 3) ?? '';
  if (id?.ispb !== ispb || !PARTITION.test(written)) return undefined;
  const partition = Number.parseInt(written, 36);
  return partition <= LAST_PARTITION ? partition : undefined;
}

/** 64 bits taken modulo 62^8, so that no character is noticeably likelier than another; in halves, as numbers. */
function randomCharacters(random: Uint8Array): string {
  const bits = new DataView(random.buffer, random.byteOffset, RANDOM_BYTES);
  let [high, low] = [bits.getUint32(0), bits.getUint32(4)];
  let text = '';
  for (let count = 0; count < RANDOM_CHARACTERS; count += 1) {
    const rest = (high % BASE) * 2 ** 32 + low;
    text = ALPHABET.charAt(rest % BASE) + text;
    high = Math.floor(high / BASE);
    low = Math.floor(rest / BASE);
  }
  return text;
}
