import { UNDER_CONDITION } from './guards.js';
import { type TamperingGroup, way } from './tampering.js';

export const FOLLOWERS: TamperingGroup = {
  name: 'how far followers have come',
  ways: [
    ...['directory', 'pix-movements', 'pix-rail', 'tree-nodes', 'webhooks', 'transaction-search'].map((name) =>
      way(
        `${name}, beyond the head`,
        `update subscription set position = position + 1000 where partition = :p and consumer = '${name}' returning 'follower ' || consumer as key`,
        'rows of subscriptions',
        /at most the head/,
      ),
    ),
    way(
      'entries, set back',
      `update subscription set position = 5 where partition = :p and consumer = 'entries'`,
      'rows of entries',
      /^position/,
    ),
  ],
  guards: [UNDER_CONDITION],
};

/** Nobody can tell from the log what is right here: docs/auditing.md says why, column by column. */
export const NOT_HELD: readonly (readonly [column: string, how: string])[] = [
  ['log_head.corrections', 'update log_head set corrections = corrections + 5'],
  ['checkpoint.signed_at', `update checkpoint set signed_at = signed_at - interval '1 day'`],
  ['checkpoint', 'delete from checkpoint where partition = 0'],
  [
    'webhook_delivery.due_at',
    `update webhook_delivery set due_at = now() + interval '1 day', due_since = now(), lease = null, leased_until = null
     where due_at is not null`,
  ],
  ['webhook_delivery.attempts', `update webhook_delivery set attempts = '[]', attempts_made = 1`],
  ['unsealed_deliveries', 'insert into unsealed_deliveries select partition, position from log_head'],
  [
    'work.attempts',
    `update work set due_at = greatest(due_at, now() + interval '1 day'), attempts = 7, lease = null, leased_until = null`,
  ],
  ['pix_sweep.swept_until', `update pix_sweep set swept_until = now() + interval '1 year'`],
  ['console_session', 'delete from console_session'],
  [
    'verification_run',
    `insert into verification_run values (gen_random_uuid(), 'x', 'Finished', now(), now(), now(), 0, 0, null, '{"ok":true}')`,
  ],
  ['directory_word.word', `delete from directory_word where position is null`],
  ['subscription', `update subscription set position = 0 where consumer = 'pix-rail'`],
  ['sandbox.charge', `delete from sandbox.charge`],
  ['account_number', `select setval('account_number', 999999)`],
];
