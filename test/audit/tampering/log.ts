import { AGREEING, OF_ONE_COLUMN } from './guards.js';
import { type TamperingGroup, way } from './tampering.js';

/** Size of the newest checkpoint of the registry's partition. */
const SEALED_0 = '(select max(size) from checkpoint where partition = 0)';

/** A note is looked at before the size beside it: a row after the newest holds it, and the signed one stays. */
const badNote = (what: string, after: number, note: string) =>
  way(
    what,
    `insert into checkpoint select partition, size + ${after}, root, ${note}, signed_at from checkpoint
     where partition = :p and size = :sealed returning size as at, partition`,
    'checkpoint signatures',
    /^note/,
  );

/** What is wrong with the log of a whole partition is done to another one, or to another copy. */
export const LOG: readonly TamperingGroup[] = [
  {
    name: 'events that are gone or elsewhere',
    ways: [
      way(
        'the last event, dropped',
        `delete from event where partition = :p and position = :size returning position as at, partition`,
        'positions',
        /found nothing/,
      ),
      way(
        'an event in the middle, dropped',
        `delete from event where partition = :p and position = 20 returning position as at, partition`,
        'positions',
        /found 21/,
      ),
      way(
        'the first event, dropped',
        `delete from event where partition = :p and position = 1 returning position as at, partition`,
        'positions',
        /found 2$/,
      ),
      way(
        'two events, swapped',
        [
          `update event set position = 1000000 where partition = :p and position = 10`,
          `update event set position = 10 where partition = :p and position = 11`,
          `update event set position = 11 where partition = :p and position = 1000000`,
          'select 10 as at, :p as partition',
        ],
        'leaf hashes',
        /^leaf/,
      ),
      way(
        'the time of a head, after all time',
        `update log_head set time = 'infinity' where partition = 0 returning partition`,
        'roots',
        /^time/,
      ),
    ],
    guards: [OF_ONE_COLUMN],
  },
  {
    name: 'heads and checkpoints',
    ways: [
      way(
        'the root of the head',
        `update log_head set root = sha256(root) where partition = :p returning partition`,
        'roots',
        /^root/,
      ),
      way(
        'the peaks of the head',
        `update log_head set peaks = '\\x00' || peaks where partition = :p returning partition`,
        'roots',
        /^peaks/,
      ),
      way(
        'the time of the head',
        `update log_head set time = time + interval '1 hour' where partition = :p returning partition`,
        'roots',
        /^time/,
      ),
      way(
        'the time of a head, before all time',
        `update log_head set time = '-infinity' where partition = 0 returning partition`,
        'roots',
        /^time/,
      ),
      way(
        'the head of an empty partition, gone',
        `delete from log_head where partition = 3 - :p returning partition`,
        'partitions',
        /^head/,
      ),
      badNote('the origin of a checkpoint', 2, `replace(note, 'partition-:p', 'partition-9')`),
      badNote(
        'a checkpoint of another partition',
        3,
        `(select note from checkpoint where partition = 0 order by size desc limit 1)`,
      ),
      badNote('a note that is none', 4, `'x'`),
      way(
        'the size of a checkpoint',
        `insert into checkpoint select partition, size + 1, root, note, signed_at from checkpoint
         where partition = :p and size = :sealed returning size as at, partition`,
        'checkpoint signatures',
        /^size/,
      ),
      way(
        'the root of a checkpoint',
        `update checkpoint set root = sha256(root) where partition = 0 and size = ${SEALED_0}
         returning size as at, partition`,
        'checkpoint signatures',
        /^root/,
      ),
      way(
        'the signature of a checkpoint',
        `update checkpoint set note = regexp_replace(note, '— (\\S+) .*', '— \\1 ' || repeat('A', 92))
         where partition = :p and size = :sealed returning size as at, partition`,
        'checkpoint signatures',
        /^note/,
      ),
      way(
        'the master key, another',
        `update subject_key set wrapped_key = sha256(wrapped_key) || wrapped_key`,
        'subject keys',
        /^key/,
      ),
    ],
    guards: [AGREEING],
  },
  {
    name: 'events that were moved up, and a head that was set back',
    ways: [
      way(
        'all events, moved up',
        [
          `update event set position = position + 100000 where partition = :p`,
          `update event set position = position - 99999 where partition = :p`,
          'select 1 as at, :p as partition',
        ],
        'positions',
        /found 2$/,
      ),
      way(
        'the head, set back',
        `update log_head set position = position - 1 where partition = 0 returning position + 1 as at, partition`,
        'positions',
        /no event beyond the head/,
      ),
    ],
  },
  {
    name: 'a head that is gone, and one that was set forward',
    ways: [
      way('a head, gone', `delete from log_head where partition = :p returning partition`, 'partitions', /^head/),
      way(
        'the head, set forward',
        `update log_head set position = position + 1 where partition = 0 returning position as at, partition`,
        'positions',
        /found nothing/,
      ),
    ],
  },
];

/** All hashes fit again: only what was signed tells, or what the events mean. */
export const REWRITTEN: readonly TamperingGroup[] = [
  {
    name: 'what was rewritten with all hashes',
    rehashed: true,
    ways: [
      way(
        'an actor',
        [
          `update event set metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json where partition = :p and position <= :sealed`,
          'select :sealed as at, :p as partition',
        ],
        'checkpoints',
        /^root/,
      ),
      way(
        'a type that is none',
        `update event set type = 'Nothing' where partition = :p and position = (select max(position) from event where partition = :p and type = 'TransferSettled') returning partition`,
        'rows of transactions',
        /expected nothing/,
      ),
      way(
        'the same money twice',
        `insert into event select partition, :size + 1, gen_random_uuid(), 'credit-again', 1, type, schema_version, time, data, metadata, leaf from event where partition = :p and type = 'AccountCredited' order by position limit 1 returning position as at, partition`,
        'payments once',
        /^data.id/,
      ),
      way(
        'a payout that a file gives as its own',
        `update event set data = jsonb_set(data::jsonb, '{transactions,0}', '"00000000-0000-7001-8000-000000000000"')::json where partition = :p and type = 'PayoutFileLinesRun' returning position as at, partition`,
        'payouts of files',
        /^transactions of .* found 00000000-0000-7001-8000-000000000000 of nothing/,
      ),
    ],
  },
  {
    name: 'histories that were cut, with all hashes',
    rehashed: true,
    ways: [
      way(
        'a history that was cut',
        [`delete from event where partition = :p and position >= :sealed`, 'select :sealed as at, :p as partition'],
        'checkpoints',
        /^size/,
      ),
      way(
        'a history that was cut, and no checkpoint',
        [
          `delete from event where partition = 0 and position >= ${SEALED_0}`,
          `with gone as (delete from checkpoint where partition = 0 returning size)
           select max(size) as at, 0 as partition from gone`,
        ],
        'checkpoints',
        /^size/,
      ),
    ],
  },
  {
    name: 'a history of nothing, and an actor whose checkpoints are gone, with all hashes',
    rehashed: true,
    ways: [
      way(
        'a history of nothing',
        [
          `delete from event where partition = :p`,
          'delete from checkpoint where partition = :p',
          'select 1 as at, :p as partition',
        ],
        'checkpoints',
        /^size/,
      ),
      way(
        'an actor, and no checkpoint',
        [
          `update event set metadata = replace(metadata::text, 'operator:', 'operatos:')::json where partition = 0`,
          `with gone as (delete from checkpoint where partition = 0 returning size)
           select max(size) as at, 0 as partition from gone`,
        ],
        'checkpoints',
        /^root/,
      ),
    ],
  },
];
