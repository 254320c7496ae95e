import { type Tampering, way } from './tampering.js';

/** The log as a whole: each is done to a copy of its own. */
export const LOG: readonly Tampering[] = [
  way(
    'the last event, dropped',
    `delete from event where partition = :p and position = :size returning position as at`,
    'positions',
    /found nothing/,
  ),
  way(
    'an event in the middle, dropped',
    `delete from event where partition = :p and position = 20 returning position as at`,
    'positions',
    /found 21/,
  ),
  way(
    'the first event, dropped',
    `delete from event where partition = :p and position = 1 returning position as at`,
    'positions',
    /found 2/,
  ),
  way(
    'two events, swapped',
    [
      `update event set position = 1000000 where partition = :p and position = 10`,
      `update event set position = 10 where partition = :p and position = 11`,
      `update event set position = 11 where partition = :p and position = 1000000`,
      'select 10 as at',
    ],
    'leaf hashes',
    /^leaf/,
  ),
  way(
    'all events, moved up',
    [
      `update event set position = position + 100000 where partition = :p`,
      `update event set position = position - 99999 where partition = :p`,
    ],
    'positions',
    /found 2/,
  ),
  way(
    'the head, set back',
    `update log_head set position = position - 1 where partition = :p`,
    'positions',
    /no event beyond the head/,
  ),
  way(
    'the head, set forward',
    `update log_head set position = position + 1 where partition = :p returning position as at`,
    'positions',
    /found nothing/,
  ),
  way('the root of the head', `update log_head set root = sha256(root) where partition = :p`, 'roots', /^root/),
  way('the peaks of the head', `update log_head set peaks = '\\x00' || peaks where partition = :p`, 'roots', /^peaks/),
  way(
    'the time of the head',
    `update log_head set time = time + interval '1 hour' where partition = :p`,
    'roots',
    /^time/,
  ),
  way('a head, gone', `delete from log_head where partition = :p`, 'partitions', /^head/),
  way('the head of an empty partition, gone', `delete from log_head where partition = 3 - :p`, 'partitions', /^head/),
  way(
    'the size of a checkpoint',
    `update checkpoint set size = size + 1 where partition = :p and size = :sealed`,
    'checkpoint signatures',
    /^size/,
  ),
  way(
    'the root of a checkpoint',
    `update checkpoint set root = sha256(root) where partition = :p and size = :sealed`,
    'checkpoint signatures',
    /^root/,
  ),
  way(
    'the signature of a checkpoint',
    `update checkpoint set note = regexp_replace(note, '— (\\S+) .*', '— \\1 ' || repeat('A', 92)) where partition = :p and size = :sealed`,
    'checkpoint signatures',
    /^note/,
  ),
  way(
    'the origin of a checkpoint',
    `update checkpoint set note = replace(note, 'partition-:p', 'partition-9') where partition = :p and size = :sealed`,
    'checkpoint signatures',
    /^note/,
  ),
  way(
    'a checkpoint of another partition',
    `update checkpoint set note = (select note from checkpoint where partition = 0 order by size desc limit 1) where partition = :p and size = :sealed`,
    'checkpoint signatures',
    /^note/,
  ),
  way(
    'a note that is none',
    `update checkpoint set note = 'x' where partition = :p and size = :sealed`,
    'checkpoint signatures',
    /^note/,
  ),
  way(
    'the master key, another',
    `update subject_key set wrapped_key = sha256(wrapped_key) || wrapped_key`,
    'subject keys',
    /^key/,
  ),
];

/** All hashes fit again: only what was signed tells. */
export const REWRITTEN: readonly Tampering[] = [
  way(
    'an actor',
    `update event set metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json where partition = :p and position <= :sealed`,
    'checkpoints',
    /^root/,
  ),
  way(
    'a type that is none',
    `update event set type = 'Nothing' where partition = :p and position = (select max(position) from event where partition = :p and type = 'TransferSettled')`,
    'rows of transactions',
    /expected nothing/,
  ),
  way(
    'the same money twice',
    `insert into event select partition, :size + 1, gen_random_uuid(), 'credit-again', 1, type, schema_version, time, data, metadata, leaf from event where partition = :p and type = 'AccountCredited' order by position limit 1`,
    'payments once',
    /^data.id/,
  ),
  way(
    'a history that was cut',
    `delete from event where partition = :p and position >= :sealed`,
    'checkpoints',
    /^size/,
  ),
  way(
    'an actor, and no checkpoint',
    [
      `update event set metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json where partition = :p and position <= :sealed`,
      'delete from checkpoint',
    ],
    'checkpoints',
    /^root/,
  ),
  way(
    'a history that was cut, and no checkpoint',
    [`delete from event where partition = :p and position >= :sealed`, 'delete from checkpoint'],
    'checkpoints',
    /^size/,
  ),
  way(
    'a history of nothing',
    [`delete from event where partition = :p`, 'delete from checkpoint'],
    'checkpoints',
    /^size/,
  ),
];
