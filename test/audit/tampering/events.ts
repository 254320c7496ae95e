import { type TamperingGroup, way } from './tampering.js';

/**
 * Those whose row has their texts go first: on a busy machine many were committed together, and one carries for all.
 */
const inOrder = (n: number) => `order by ahead is not null, position offset ${n} limit 1`;
/** Of the n-th transfer. */
const nth = (n: number) =>
  `(select position from event where partition = :p and type = 'TransferSettled' ${inOrder(n)})`;
const set = (n: number, change: string) =>
  `update event set ${change} where partition = :p and position = ${nth(n)} returning position as at`;
const inData = (n: number, from: string, to: string) => set(n, `data = replace(data::text, '${from}', '${to}')::json`);
const first = (type: string, change: string) =>
  `update event set ${change} where partition = :p and position = (
     select position from event where partition = :p and type = '${type}' ${inOrder(0)}) returning position as at`;
/** Of the n-th transfer that was asked for under a key. */
const keyed = (n: number) =>
  `(select position from event where partition = :p and type = 'TransferSettled' and metadata ->> 'idempotency' is not null
    ${inOrder(n)})`;
const leaf = (what: string, how: string) => way(what, how, 'leaf hashes', /^leaf/);

/** Columns of events, hashes left as they were. */
export const COLUMNS: TamperingGroup = {
  name: 'columns of events',
  ways: [
    leaf('an amount in data', inData(0, '"amount":"', '"amount":"1')),
    leaf('white space in data', inData(1, '":', '": ')),
    leaf('an escape in data', inData(2, '"amount"', '"\\u0061mount"')),
    leaf('an order of members of data', set(3, `data = (data::jsonb)::text::json`)),
    leaf('the actor', set(4, `metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json`)),
    leaf('all of metadata', set(5, `metadata = '{}'`)),
    leaf('a type', set(6, `type = 'AccountCredited'`)),
    leaf('a stream', set(7, `stream = stream || '0'`)),
    leaf('a version', set(8, 'version = version + 7')),
    leaf('a schema version', set(9, 'schema_version = schema_version + 1')),
    leaf('a time, by a millisecond', set(10, `time = time + interval '1 millisecond'`)),
    way('a time, by a microsecond', set(11, `time = time + interval '1 microsecond'`), 'times', /whole milliseconds/),
    way('a time, before the one before it', set(12, `time = time - interval '1 day'`), 'times', /not before/),
    leaf('a time, after all time', set(24, `time = 'infinity'`)),
    leaf('an identifier', set(13, 'event_id = gen_random_uuid()')),
    leaf('a leaf', set(14, 'leaf = sha256(leaf)')),
    leaf('a leaf, to nothing', set(15, `leaf = ''`)),
    leaf(
      "a leaf, to another event's",
      set(16, `leaf = (select leaf from event where partition = :p and position = 1)`),
    ),
    leaf('an account in a posting', inData(17, ':a', '00000000-0000-7001-8000-000000000000')),
    leaf('a balance in a posting', inData(18, '"balance":"', '"balance":"1')),
    leaf('an entry number in a posting', inData(19, '"entry":', '"entry":1')),
    leaf('a bucket of a posting', inData(20, '"available"', '"held"')),
    leaf(
      'the postings, to none',
      set(21, `data = regexp_replace(data::text, '"postings":\\[.*\\]', '"postings":[]')::json`),
    ),
    leaf('data, to a list', set(22, `data = '[]'`)),
    leaf(
      'data, to another transfer’s',
      set(23, `data = (select data from event where partition = :p and position = ${nth(0)})`),
    ),
    leaf('a sealed name', first('AccountOpened', `data = replace(data::text, '"sealed":"', '"sealed":"AAAA')::json`)),
    leaf('the end of a payout', first('CashOutErrored', `type = 'CashOutCompleted'`)),
    leaf('a reason of an error', first('CashInErrored', `data = replace(data::text, 'Mismatch', 'Match')::json`)),
    leaf('an EndToEndId', first('CashOutCompleted', `data = replace(data::text, '"E', '"F')::json`)),
    leaf(
      'a charge',
      first('CashOutRegistered', `data = regexp_replace(data::text, '"charges":"\\d+"', '"charges":"7"')::json`),
    ),
    leaf(
      'whom a webhook goes to',
      first('CashInRegistered', `data = replace(data::text, '127.0.0.1', '127.0.0.2')::json`),
    ),
    way(
      'the permissions of a key',
      `update event set data = replace(data::text, 'permissions', 'permission')::json where partition = 0 and position = (
         select min(position) from event where partition = 0 and type = 'AccessKeyIssued') returning position as at`,
      'leaf hashes',
      /^leaf/,
    ),
    way(
      'whom an auditor sees',
      `update event set data = replace(data::text, '"partnerUid":"', '"partnerUid":"0')::json
       where partition = 0 and type = 'AuditorRegistered' and data::text like '%"partnerUid":"%' returning position as at`,
      'leaf hashes',
      /^leaf/,
    ),
  ],
};

/** The forger knows the format: leaves, root and peaks fit. What the events say does not, nor what was signed. */
export const MEANING: TamperingGroup = {
  name: 'meaning of events, with all hashes',
  rehashed: true,
  ways: [
    way(
      'an amount of one posting',
      inData(0, '"bucket":"available","amount":"-', '"bucket":"available","amount":"-9'),
      'sums of postings',
      /^data.postings/,
    ),
    way(
      'a posting left out',
      set(1, `data = regexp_replace(data::text, '"postings":\\[\\{[^}]*\\},', '"postings":[')::json`),
      'sums of postings',
      /^data.postings/,
    ),
    way('a balance', inData(2, '"balance":"', '"balance":"1'), 'account numbering', /^data.postings.balance/),
    way('an entry number', inData(3, '"entry":', '"entry":1'), 'account numbering', /^data.postings.entry/),
    way('a bucket', inData(4, '"available"', '"held"'), 'account numbering', /^data.postings/),
    way(
      'a posting twice',
      set(5, `data = regexp_replace(data::text, '"postings":\\[(\\{[^}]*\\})', '"postings":[\\1,\\1')::json`),
      'sums of postings',
      /^data.postings/,
    ),
    way(
      'a key that was used before',
      `update event set metadata = (select metadata from event where partition = :p and position = ${keyed(0)})
       where partition = :p and position = ${keyed(1)} returning position as at`,
      'replay',
      /is that of the event at/,
    ),
    way('data that is none', set(8, `data = '[]'`), 'replay', /^data/),
    way(
      'an amount that is no number',
      inData(9, '"bucket":"available","amount":"', '"bucket":"available","amount":"x'),
      'replay',
      /^data/,
    ),
    way('a time before the one before it', set(10, `time = time - interval '1 day'`), 'times', /not before/),
    way('a version left out', set(11, 'version = version + 1'), 'stream versions', /^version/),
    way(
      'a sealed value that no key opens',
      first('CashOutRegistered', `data = regexp_replace(data::text, '"sealed":"..', '"sealed":"AA', 'g')::json`),
      'subject keys',
      /^sealed/,
    ),
    way(
      'a subject that has no key',
      first(
        'CashInRegistered',
        `data = regexp_replace(data::text, '"subject":"........', '"subject":"00000000', 'g')::json`,
      ),
      'subject keys',
      /^key/,
    ),
    way('what was signed', `select :sealed as at`, 'checkpoints', /^root/),
  ],
};
