import { GUARDS } from './guards.js';
import { type Tampering, type TamperingGroup, way } from './tampering.js';

/** Each change takes another row of its table: a row's first difference is the one that is named. */
function columns(
  table: string,
  key: string,
  check: string,
  where: string,
  changes: readonly (readonly [string, string, RegExp?])[],
): Tampering[] {
  return changes.map(([column, value, message], n) =>
    way(
      `${table}.${column}`,
      `update ${table} set ${column} = ${value} where ctid = (
         select ctid from ${table}_before where ${where} order by ${key} offset ${n} limit 1) returning ${key}::text as key`,
      check,
      message ?? /./,
    ),
  );
}

const gone = (table: string, key: string, check: string, order: string, where = 'partition = :p') =>
  way(
    `${table}: a row gone`,
    `delete from ${table} where ctid = (select ctid from ${table} where ${where} order by ${order} limit 1) returning ${key} as key`,
    check,
    /found nothing/,
  );

const ENTRY = `account_uid || '/' || position || '/' || number`;
const PAYMENT = `partition = :p and type <> 'Transfer'`;

/** Read models of accounts, partners, keys. */
export const REGISTRY: TamperingGroup = {
  name: 'rows of the registry',
  ways: [
    ...columns('account', 'uid', 'rows of accounts', 'partition = :p and payout_limits is null', [
      ['available', 'available + 1', /^available/],
      ['held', 'held + 1', /^held/],
      ['blocked', 'blocked + 1', /^blocked/],
      ['entries', 'entries + 1', /^entries/],
      ['status', `'Closed'`, /^status/],
      ['version', 'version + 1', /^version/],
    ]),
    ...columns('account', 'uid', 'rows of accounts', 'partition = :p and payout_limits is not null', [
      ['payout_limits', 'null', /^payoutLimits/],
    ]),
    ...columns('partner', 'uid', 'rows of partners', 'partition = 0', [
      ['settings', `'{}'`, /^settings/],
      ['home_partition', 'home_partition + 1', /^homePartition/],
    ]),
    ...columns('partner_tax_number', `encode(lookup, 'hex')`, 'rows of partnerTaxNumbers', 'partition = 0', [
      ['partner_uid', 'gen_random_uuid()'],
    ]),
    ...columns('access_key', 'id', 'rows of accessKeys', 'partition = 0', [
      ['permissions', `array['Everything']`, /^permissions/],
      ['expires_at', 'now()', /^expiresAt/],
      ['status', `case status when 'Active' then 'Revoked' else 'Active' end`, /^status/],
    ]),
    ...columns('auditor', 'id', 'rows of auditors', 'partition = 0', [
      ['name', `'Mallory'`, /^name/],
      ['partner_uid', 'null', /^partnerUid/],
    ]),
    ...columns('reconciled_day', 'day', 'rows of reconciledDays', 'partition = 0', [
      ['mismatched', 'mismatched + 1', /^mismatched/],
    ]),
    ...columns('reconciliation_case', 'id', 'rows of reconciliationCases', 'partition = 0', [
      ['status', `case status when 'Open' then 'Closed' else 'Open' end`, /^status/],
      ['rail', 'rail + 1', /^rail/],
      ['reference', `'E'`, /^reference/],
    ]),
    ...columns('hold', 'id', 'rows of holds', 'partition = :p', [
      ['amount', 'amount + 1', /^amount/],
      ['status', `case status when 'Open' then 'Closed' else 'Open' end`, /^status/],
      ['reference', `'R'`, /^reference/],
    ]),
    ...columns('hold', 'id', 'rows of holds', 'partition = :p and deposit_id is not null', [
      ['returned', 'returned + 1', /^returned/],
      ['expires_at', `expires_at + interval '1 hour'`, /^expiresAt/],
      ['deposit_id', 'gen_random_uuid()', /^depositId/],
    ]),
    ...columns('account_webhook', 'id', 'rows of accountWebhooks', 'partition = :p', [
      ['url', `'https://mallory.example/'`, /^url/],
      ['account_uid', 'gen_random_uuid()', /^accountUid/],
    ]),
    ...columns('scheduled_transaction', 'id', 'rows of scheduledTransactions', 'partition = :p', [
      ['waits', 'not waits', /^waits/],
      ['account_uid', 'gen_random_uuid()', /^accountUid/],
    ]),
    gone('scheduled_transaction', 'id', 'rows of scheduledTransactions', 'id desc'),
    ...columns('schedule', 'id', 'rows of schedules', 'partition = :p', [
      ['state', `'Cancelled'`, /^state/],
      ['makes', `replace(makes::text, '"amount":"', '"amount":"9')::json`, /^makes/],
      ['count', 'count + 1', /^count/],
    ]),
    gone('schedule', 'id', 'rows of schedules', 'id desc'),
    gone('account_webhook', 'id', 'rows of accountWebhooks', 'id desc'),
    gone('hold', 'id', 'rows of holds', 'id desc'),
    ...columns('infraction', 'id', 'rows of infractions', 'partition = :p and agreed is null', [
      ['status', `'Cancelled'`, /^status/],
      ['amount', 'amount + 1', /^amount/],
      ['details', 'null', /^details/],
    ]),
    ...columns('infraction', 'id', 'rows of infractions', 'partition = :p and agreed is not null', [
      ['agreed', 'agreed + 1', /^agreed/],
    ]),
    gone('infraction', 'id', 'rows of infractions', 'id desc'),
    ...columns('recovery', 'id', 'rows of recoveries', 'partition = :p', [
      ['amount', 'amount + 1', /^amount/],
      ['status', `'Accepted'`, /^status/],
    ]),
    gone('recovery', 'id', 'rows of recoveries', 'id desc'),
    way(
      'payout_file.registered',
      `update payout_file set registered = registered - 1 where partition = :p returning id as key`,
      'rows of payoutFiles',
      /^registered/,
    ),
    ...columns('payee_uses', 'id', 'rows of payeeUses', 'partition = :p', [['uses', `'{}'`, /^uses/]]),
    ...columns('secure_contact', 'id', 'rows of secureContacts', 'partition = :p', [
      ['terms', `'{}'`, /^terms/],
      ['in_force_from', `in_force_from - interval '1 day'`, /^inForceFrom/],
      ['status', `'Removed'`, /^status/],
    ]),
    gone('secure_contact', 'id', 'rows of secureContacts', 'id desc'),
    gone('reconciliation_case', 'id', 'rows of reconciliationCases', 'id desc', 'partition = 0'),
    way(
      'forgotten_subject: a row more',
      `insert into forgotten_subject values (:p, gen_random_uuid(), now()) returning subject as key`,
      'rows of forgottenSubjects',
      /found/,
    ),
    ...columns('idempotency', `encode(id, 'hex')`, 'rows of idempotency', 'partition = :p', [
      ['request', `'\\x00'`],
      ['position', 'position + 1'],
      ['events', 'events + 1'],
    ]),
    way(
      'idempotency: a row gone',
      `delete from idempotency where id = (select max(id) from idempotency where partition = :p) returning encode(id, 'hex') as key`,
      'rows of idempotency',
      /found nothing/,
    ),
  ],
};

/** Transactions and what is made of them. */
export const TRANSACTIONS: TamperingGroup = {
  name: 'rows of transactions',
  ways: [
    ...columns('transaction', 'id', 'rows of transactions', PAYMENT, [
      ['state', `'Reversed'`, /^state/],
      ['amount', 'amount + 1', /^amount/],
      ['charges', 'charges + 1', /^charges/],
      ['order_id', `'order-x'`, /^orderId/],
      ['end_to_end_id', `'E-x'`, /^endToEndId/],
      ['error_reason', `'Nothing'`, /^errorReason/],
      ['state_dates', `'{}'`, /^stateDates/],
      ['details', `'{}'`, /^details/],
      ['refund_of', 'gen_random_uuid()', /^refundOf/],
      ['account_uid', 'gen_random_uuid()', /^accountUid/],
    ]),
    ...columns(
      'transaction',
      'id',
      'rows of transactions',
      `partition = :p and payer is not null and details ->> 'hold' is not null`,
      [['payer', 'gen_random_uuid()', /^payer/]],
    ),
    ...columns('transaction', 'id', 'rows of transactions', `partition = :p and type = 'Transfer'`, [
      ['amount', 'amount + 1', /^amount/],
      ['counterparty_uid', 'gen_random_uuid()', /^counterpartyUid/],
      ['position', 'position + 1', /^position/],
      ['version', 'version + 1', /^version/],
      ['entry', 'entry + 1', /^entry/],
      ['balance', 'balance + 1', /^balance/],
      ['counterparty_entry', 'null', /^counterpartyEntry/],
      ['counterparty_balance', 'counterparty_balance - 1', /^counterpartyBalance/],
    ]),
    way(
      'partner.cautionary_rules',
      `update partner set cautionary_rules = '[]' where uid = ':partner' returning uid as key`,
      'rows of partners',
      /^cautionaryRules/,
    ),
    gone('transaction', 'id', 'rows of transactions', 'id desc'),
    ...columns('transaction_search', 'id', 'rows of transaction-search', PAYMENT, [
      ['partner_uid', 'gen_random_uuid()', /^partner_uid/],
      ['amount', 'amount + 1', /^amount/],
      ['state', `'Cancelled'`, /^state/],
      ['order_id', `'order-x'`, /^order_id/],
      ['registered_at', `registered_at + interval '1 second'`, /^registered_at/],
    ]),
    gone('transaction_search', 'id', 'rows of transaction-search', 'id desc'),
    way(
      'transaction_total.count',
      `update transaction_total set count = count + 1 where partition = :p and step = 'hour'`,
      'rows of transaction_total.count',
      /another sum/,
    ),
    way(
      'transaction_total.amount',
      `update transaction_total set amount = amount + 1 where partition = :p and step = 'day'`,
      'rows of transaction_total.amount',
      /another sum/,
    ),
    way(
      'payout_file_ending.count',
      `update payout_file_ending set count = count + 1 where partition = :p`,
      'rows of payout_file_ending.count',
      /another sum/,
    ),
    way(
      'payout_file_ending.amount',
      `update payout_file_ending set amount = amount + 1 where partition = :p`,
      'rows of payout_file_ending.amount',
      /another sum/,
    ),
    way(
      'transaction_subject: a row more',
      `insert into transaction_subject select partition, subject, gen_random_uuid() from transaction_subject limit 1`,
      'rows of transaction_subject',
      /another sum/,
    ),
    ...columns('pix_movement', 'rail_id', 'rows of pix-movements', 'partition = :p', [
      ['amount', 'amount + 1', /^amount/],
      ['transaction_id', 'gen_random_uuid()', /^transaction_id/],
    ]),
    gone('pix_movement', 'rail_id', 'rows of pix-movements', 'rail_id desc'),
    ...columns('entry', ENTRY, 'rows of entries', 'partition = :p', [
      ['amount', 'amount + 1', /^amount/],
      ['balance', 'balance + 1', /^balance/],
      ['bucket', `'held'`, /^bucket/],
      ['kind', `'Nothing'`, /^kind/],
      ['transaction_id', 'gen_random_uuid()', /^transaction/],
      ['time', `time + interval '1 second'`, /^time/],
    ]),
    gone('entry', ENTRY, 'rows of entries', `${ENTRY} desc`),
  ],
};

/** The other way round: nothing was changed, something was taken away or added. */
export const FEWER: TamperingGroup = {
  name: 'rows that are gone or too many',
  ways: [
    way(
      'account.opened_at',
      `update account set opened_at = opened_at + interval '1 second' where uid = ':a' returning uid as key`,
      'rows of accounts',
      /^openedAt/,
    ),
    way(
      'account.filling',
      `update account set filling = '[]' where partition = :p and system = 'operator-funding' returning uid as key`,
      'rows of accounts',
      /^filling/,
    ),
    way(
      'transaction_total: a row gone',
      `delete from transaction_total where partition = :p and step = 'minute'`,
      'rows of transaction_total.count',
      /another sum/,
    ),
    way(
      'transaction_search.state, with a version that no event has',
      `update transaction_search set state = 'Cancelled', version = 99 where partition = :p`,
      'rows of transaction_search.state',
      /another sum/,
    ),
    way(
      'transaction_subject: a row gone',
      `delete from transaction_subject where partition = :p`,
      'rows of transaction_subject',
      /another sum/,
    ),
    way(
      'account: a row more',
      `insert into account select partition, gen_random_uuid(), partner_uid, system, holder, type, class, status, 7, 0, 0, opened_at, 1, 0, null from account where partition = :p and system is null limit 1 returning uid as key`,
      'rows of accounts',
      /expected nothing/,
    ),
    way(
      'access_key: a row more',
      `insert into access_key select partition, gen_random_uuid(), account_uid, partner_uid, name, status, permissions, expires_at, allowed_ips, issued_at, version, bound from access_key limit 1 returning id as key`,
      'rows of accessKeys',
      /expected nothing/,
    ),
    way(
      'auditor: a row more',
      `insert into auditor select partition, gen_random_uuid(), name, null, status, registered_at, version, bound from auditor limit 1 returning id as key`,
      'rows of auditors',
      /expected nothing/,
    ),
    way(
      'partner: a row gone',
      `delete from partner where uid = ':partner' returning uid as key`,
      'rows of partners',
      /found nothing/,
    ),
    way(
      'pix_movement: a row more',
      `insert into pix_movement select partition, kind, 'E-forged', amount, at, transaction_id, position from pix_movement where partition = :p limit 1`,
      'rows of pix-movements',
      /^count/,
    ),
    way(
      'entry: a row more',
      `insert into entry select partition, account_uid, 1000, position, bucket, amount, balance, kind, transaction_id, description, time from entry where partition = :p limit 1`,
      'rows of entries',
      /^count/,
    ),
    way(
      'directory_word.subject of a name, which an erasure would leave',
      `update directory_word set subject = null where ctid = (select ctid from directory_word where partition = :p and subject is not null and uid <> ':a' order by uid limit 1) returning uid as key`,
      'rows of directory',
      /^subject.* found nothing/,
    ),
    way(
      'directory_word.subject of the row of an identifier, which an erasure would take',
      `update directory_word set subject = gen_random_uuid() where ctid = (select ctid from directory_word where partition = :p and position is not null and uid <> ':a' order by uid desc limit 1) returning uid as key`,
      'rows of directory',
      /^subject.* expected nothing/,
    ),
    way(
      'directory_word: a name of nobody',
      `insert into directory_word select partition, word, partner_uid, gen_random_uuid(), kind, subject, null from directory_word where partition = :p and subject is not null limit 1 returning uid as key`,
      'rows of directory',
      /^row.* something that is listed/,
    ),
    way(
      'directory_word: a row gone',
      `delete from directory_word where uid = ':a' returning uid as key`,
      'rows of directory',
      /found nothing/,
    ),
  ],
  guards: GUARDS,
};
