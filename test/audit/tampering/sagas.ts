import { OBJECTS } from './guards.js';
import { type TamperingGroup, way } from './tampering.js';

const delivery = (n: number) =>
  `(select id from webhook_delivery where partition = :p order by id offset ${n} limit 1)`;
const altered = (name: string, id: string, column: string, value: string) =>
  way(
    `${name}.${column}`,
    `update webhook_delivery set ${column} = ${value} where id = ${id} returning id as key`,
    'rows of webhook deliveries',
    new RegExp(`^${column}`),
  );
const ofDelivery = (n: number, column: string, value: string) =>
  altered('webhook_delivery', delivery(n), column, value);
const ofNotification = (n: number, column: string, value: string) =>
  altered(
    'webhook_delivery of an account',
    `(select id from webhook_delivery where partition = :p and type is not null order by id offset ${n} limit 1)`,
    column,
    value,
  );
/** A delivery that is due, as it was: the newest that no other way has changed. */
const due = `(select id from webhook_delivery
  where partition = :p and status in ('Pending', 'Retrying') 
    and due_at between now() - interval '1 day' and now() + interval '2 days' and leased_until is null
  order by id desc limit 1)`;
const ofDue = (what: string, change: string, message: RegExp) =>
  way(
    `webhook_delivery: one that ${what}`,
    `update webhook_delivery set ${change} where id = ${due} returning id as key`,
    'rows of webhook deliveries',
    message,
  );
const payout = (n: number) =>
  `(select id from work where partition = :p and kind = 'pix-send-payment' order by id offset ${n} limit 1)`;

export const SAGAS: TamperingGroup = {
  name: 'what sagas wrote',
  guards: OBJECTS,
  ways: [
    ofDelivery(0, 'url', `'https://mallory.example/'`),
    ofDelivery(1, 'material', `replace(material::text, '"transactionAmount":"', '"transactionAmount":"9')::json`),
    ofDelivery(2, 'header_secret', 'gen_random_uuid()'),
    ofDelivery(3, 'transaction_state', `'Error'`),
    ofDelivery(4, 'partner_uid', 'gen_random_uuid()'),
    ofDelivery(5, 'lane', 'gen_random_uuid()'),
    ofDelivery(6, 'chain', 'gen_random_uuid()'),
    ofNotification(0, 'type', `'hold.executed'`),
    ofNotification(1, 'material', `replace(material::text, '"amount":"', '"amount":"9')::json`),
    way(
      'webhook_delivery: a row gone',
      `delete from webhook_delivery where id = ${delivery(7)} returning id as key`,
      'rows of webhook deliveries',
      /found nothing/,
    ),
    ofDue('is sent to nobody, nor is what follows it', 'due_at = null', /^due_at.* expected a time.* found nothing/),
    ofDue('was sent, and is sent again', `status = 'Delivered'`, /^due_at.* nothing, as it is Delivered/),
    ofDue('was never sent', `status = 'Delivered', due_at = null`, /^status.* its seal fits, found Delivered after/),
    ofDue('is given up at its next failure', 'tries = 9', /^status.* its seal fits, found \w+ after 9 tries/),
    ofDue('is put off', `due_at = now() + interval '40 days'`, /^due_at.* at most/),
    ofDue('was due before all time', `due_at = '-infinity'`, /^due_at.* at least 1970.* found -infinity/),
    way(
      'webhook_delivery: one that is under way for ever',
      `update webhook_delivery set leased_until = 'infinity' where id = ${due} returning id as key`,
      'rows of webhook deliveries',
      /^leased_until.* found infinity/,
    ),
    way(
      'webhook_delivery: one that is never made again',
      `update webhook_delivery set redelivery_position = 9000000 where id = ${delivery(0)} returning id as key`,
      'rows of webhook deliveries',
      /^redelivery_position.* found 9000000/,
    ),
    way(
      'webhook_delivery: a redelivery that nobody asked for',
      `update webhook_delivery set redelivery_position = 1 where id = ${delivery(9)} returning id as key`,
      'rows of webhook deliveries',
      /^redelivery_position.* expected 0, found 1/,
    ),
    way(
      'webhook_delivery: a redelivery that was forgotten',
      `update webhook_delivery set redelivery_position = 0 where id = ${delivery(1)} returning id as key`,
      'rows of webhook deliveries',
      /^redelivery_position.* found nothing/,
    ),
    way(
      'work: a payout gone',
      `delete from work where id = (select id from work where partition = :p and kind = 'pix-send-payment' order by id desc limit 1) returning id as key`,
      'rows of work',
      /found nothing/,
    ),
    way(
      'work: the timer of a hold gone',
      `delete from work where id = (select id from work where partition = :p and kind = 'pix-expire-hold' order by id desc limit 1) returning id as key`,
      'rows of work',
      /found nothing/,
    ),
    way(
      'work: what is due later gone',
      `delete from work where id = (select id from work where partition = :p and kind = 'scheduled-run' order by id desc limit 1) returning subject as key`,
      'rows of work',
      /found nothing/,
    ),
    way(
      'work: what is due later of another transaction',
      `update work set subject = gen_random_uuid() where id = (select id from work where partition = :p and kind = 'scheduled-run' order by id limit 1) returning subject as key`,
      'rows of work',
      /an event that began it/,
    ),
    way(
      'work: the next run of a schedule gone',
      `delete from work where id = (select id from work where partition = :p and kind = 'schedule-next-run' limit 1) returning id as key`,
      'rows of work',
      /found nothing/,
    ),
    way(
      'work: a payout under another kind',
      `update work set kind = 'pix-send-refund' where id = ${payout(0)} returning id as key`,
      'rows of work',
      /an event that began it/,
    ),
    way(
      'work: a payout of another transaction',
      `update work set subject = gen_random_uuid() where id = ${payout(0)} returning id as key`,
      'rows of work',
      /^subject/,
    ),
    way(
      'work: a payout in the slots of another partner',
      `update work set payload = json_build_object('partnerUid', gen_random_uuid()) where id = ${payout(1)} returning id as key`,
      'rows of work',
      /^payload/,
    ),
    way(
      'work: a charge put off',
      `update work set due_at = now() + interval '1 year' where id = (select id from work where kind = 'pix-expire-cash-in' order by id offset 1 limit 1) returning id as key`,
      'rows of work',
      /^due_at.* at most/,
    ),
    way(
      'work: a sweep under way for ever',
      `update work set lease = gen_random_uuid(), leased_until = '290000-01-01', due_at = '-infinity' where kind = 'pix-sweep' returning id as key`,
      'rows of work',
      /^leased_until.* found 9999-/,
    ),
    way(
      'work: a hold that does not expire',
      `update work set due_at = 'infinity' where id = (select id from work where partition = :p and kind = 'pix-expire-hold' order by id limit 1) returning id as key`,
      'rows of work',
      /^due_at.* found 9999-/,
    ),
    way(
      'work: a hold that expires at no time',
      `update work set due_at = null where id = (select id from work where partition = :p and kind = 'pix-expire-hold' order by id offset 1 limit 1) returning id as key`,
      'rows of work',
      /^due_at.* expected a time, found nothing/,
    ),
    way(
      'work: a payout that is due at no time',
      `update work set due_at = null where id = ${payout(2)} returning id as key`,
      'rows of work',
      /^due_at.* expected a time, found nothing/,
    ),
    way(
      'work: a run of a schedule that was due before all time',
      `update work set due_at = '-infinity' where id = (select id from work where partition = :p and kind = 'schedule-next-run' order by id desc limit 1) returning id as key`,
      'rows of work',
      /^due_at.* at least 1970-/,
    ),
    way(
      'work: a timer that is due at no time',
      `update work set due_at = null where kind = 'med-sweep' returning id as key`,
      'rows of work',
      /^due_at.* expected a time, found nothing/,
    ),
    way(
      'work: days that are not reconciled',
      `update work set due_at = now() + interval '30 days' where kind = 'pix-reconcile' returning id as key`,
      'rows of work',
      /^due_at.* at most/,
    ),
    way(
      'a day that was not reconciled',
      `insert into reconciled_day (partition, day, mismatched) values (0, '2020-02-28', 0) returning 'day 2020-02-29' as key`,
      'reconciled days',
      /one that was reconciled, found nothing/,
    ),
    way(
      'work: a case that nobody looks at before its end',
      `update work w set due_at = return_until from infraction i
       where w.kind = 'med-case' and i.partition = w.partition and i.id = w.id returning w.id as key`,
      'rows of work',
      /^due_at.* at most/,
    ),
    way(
      'work: a charge that never ends',
      `delete from work where id = (select min(id::text)::uuid from work where kind = 'pix-expire-cash-in') returning id as key`,
      'rows of work',
      /found nothing/,
    ),
    way(
      'work: a return that nobody asked for',
      `insert into work (partition, id, kind, subject, payload, due_at) values (:p, gen_random_uuid(), 'pix-return-payment', gen_random_uuid(), '{"amount":"900"}', now()) returning id as key`,
      'rows of work',
      /an event that began it/,
    ),
    way(
      'work: a timer a second time, beside the one that takes its turns',
      `insert into work (partition, id, kind, subject, payload, due_at) values (0, gen_random_uuid(), 'pix-sweep', gen_random_uuid(), 'null', now()) returning id as key`,
      'rows of work',
      /^row.* expected nothing: a timer has one row/,
    ),
    way(
      'work: a timer of another partition',
      `insert into work (partition, id, kind, subject, payload, due_at) values (:p, gen_random_uuid(), 'med-sweep', gen_random_uuid(), 'null', now()) returning id as key`,
      'rows of work',
      /^row.* expected nothing: a timer has one row/,
    ),
    way(
      'a secret that signs webhooks, changed',
      `update registry_secret set value = set_byte(value, 20, get_byte(value, 20) # 1) where id = (select (webhook_secrets -> 0 ->> 'id')::uuid from partner where uid = ':partner') returning id as key`,
      'secrets',
      /sealed for this id/,
    ),
    way(
      "a header's value, from another's row",
      `update secret set value = (select value from secret where partition = :p order by id desc limit 1) where id = (select id from secret where partition = :p order by id limit 1) returning id as key`,
      'secrets',
      /sealed for this id/,
    ),
    way(
      "a header's value, gone",
      `delete from secret where id = (select id from secret where partition = :p order by id offset 1 limit 1) returning id as key`,
      'secrets',
      /found nothing/,
    ),
    way(
      'an access key’s secret, from another’s row',
      `update registry_secret set value = (select value from registry_secret where id = (select max(id::text)::uuid from access_key)) where id = (select min(id::text)::uuid from access_key) returning id as key`,
      'credentials',
      /made for this owner/,
    ),
    way(
      'an auditor’s secret, gone',
      `delete from registry_secret where id = (select min(id::text)::uuid from auditor) returning id as key`,
      'credentials',
      /found nothing/,
    ),
    way(
      'a subject’s key, changed',
      `update subject_key set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1) where subject = (select min(subject::text)::uuid from subject_key where partition = :p) returning subject as key`,
      'subject keys',
      /^key/,
    ),
    way(
      'a subject’s key, gone',
      `delete from subject_key where subject = (select max(subject::text)::uuid from subject_key where partition = :p) returning subject as key`,
      'subject keys',
      /^key/,
    ),
    way(
      'look-ups of two subjects, swapped',
      [
        `update subject_key set lookup = lookup || '\\x01' where partition = :p and subject in (select subject from subject_key where partition = :p order by subject offset 1 limit 2)`,
        `update subject_key k set lookup = substring(o.lookup for 32) from subject_key o where k.partition = :p and o.partition = :p and length(k.lookup) = 33 and length(o.lookup) = 33 and k.subject <> o.subject returning k.subject as key`,
      ],
      'subject look-ups',
      /^lookup/,
    ),
    way(
      'the look-up of the partner, changed',
      `update subject_key set lookup = sha256(lookup) where partition = 0 and subject = (select (holder ->> 'subject')::uuid from partner where uid = ':partner') returning subject as key`,
      'subject look-ups',
      /^lookup/,
    ),
    way(
      'a subject’s key, copied to where its erasure leaves it',
      `insert into subject_key select 3 - partition, subject, lookup, wrapped_key from subject_key where partition = :p order by subject offset 3 limit 1 returning partition, subject as key`,
      'subject keys',
      /^key.* expected nothing: the subject is of another partition/,
    ),
    way(
      'a subject’s key, copied under a subject that nobody forgets',
      `insert into subject_key select partition, overlay(subject::text placing 'ffffffffffff' from 25)::uuid, sha256(lookup), wrapped_key from subject_key where partition = :p order by subject offset 3 limit 1 returning subject as key`,
      'subject keys',
      /^key.* expected a key that the master key unwraps under this subject/,
    ),
    way(
      'the fingerprint of the pepper, gone',
      `delete from setting_fingerprint where name = 'KEY_PEPPER' returning name as key`,
      'fingerprints',
      /found nothing/,
    ),
    way(
      'the fingerprint of the master key, another',
      `update setting_fingerprint set fingerprint = sha256(fingerprint) where name = 'MASTER_KEY' returning name as key`,
      'fingerprints',
      /that of the key in the settings/,
    ),
    way(
      'a node of the tree, changed',
      `update tree_node set hash = sha256(hash) where partition = :p and level = 4 and index = 0 returning 'node 0 of level 4' as key`,
      'rows of tree nodes',
      /^hash/,
    ),
    way(
      'a node of the tree, gone',
      `delete from tree_node where partition = :p and level = 4 and index = 1 returning 'node 1 of level 4' as key`,
      'rows of tree nodes',
      /found nothing/,
    ),
    way(
      'a node of the tree, more',
      `insert into tree_node values (:p, 20, 3, '\\x00') returning 'node 3 of level 20' as key`,
      'rows of tree nodes',
      /expected nothing/,
    ),
    way(
      'an event beyond the head',
      `insert into event select partition, position + 3, gen_random_uuid(), 'x', 1, type, schema_version, time, data, metadata, leaf from event where partition = :p and position = :size returning position as at`,
      'positions',
      /no event beyond the head/,
    ),
    way(
      'an event of a partition without a head',
      `insert into event select 77, 1, gen_random_uuid(), stream, 1, type, schema_version, time, data, metadata, leaf from event where partition = :p and position = 1 returning 'table event' as key`,
      'partitions',
      /^head/,
    ),
  ],
};
