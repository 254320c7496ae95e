/** Columns that are never null, by table, as migrations have them. */
export const REQUIRED: Readonly<Record<string, string>> = {
  access_key: 'partition id account_uid partner_uid status permissions issued_at version bound',
  account: 'partition uid partner_uid type class status available held entries opened_at version blocked',
  account_webhook: 'partition id account_uid partner_uid position at',
  auditor: 'partition id name status registered_at version bound',
  checkpoint: 'partition size root note signed_at',
  console_session: 'id role subject fingerprint seen_at expires_at',
  directory_word: 'partition word partner_uid uid kind',
  entry: 'partition account_uid number position bucket amount balance kind time',
  event: 'partition position event_id stream version type schema_version time leaf',
  forgotten_subject: 'partition subject forgotten_at',
  hold:
    'partition id account_uid cause reference amount filled released executed status placed_at ' + 'version returned',
  idempotency: 'partition id request position events',
  infraction:
    'partition id account_uid transaction_id end_to_end_id rail_id reason amount status overdue ' +
    'returned pending refusals state_dates reported_at defence_until decide_until return_until ' +
    'version',
  log_head: 'partition position root peaks time corrections',
  partner: 'partition uid home_partition holder settings webhook_secrets registered_at version ' + 'cautionary_rules',
  partner_tax_number: 'partition lookup partner_uid',
  payee_uses: 'partition id uses',
  payout_file:
    'partition id partner_uid account_uid access_key format digest lines amount state run registered ' +
    'registered_amount refused refused_amount accepted_at position version',
  payout_file_ending: 'partition file_id state count amount',
  payout_file_input: 'partition file_id chunk sealed',
  pix_movement: 'partition kind rail_id amount at position',
  pix_sweep: 'partition rail swept_until',
  reconciled_day: 'partition day mismatched',
  reconciliation_case: 'partition id day kind reference status opened_at',
  recovery:
    'partition id account_uid transaction_id end_to_end_id reason details amount status state_dates ' + 'version',
  registry_secret: 'partition id value',
  schedule: 'partition id partner_uid account_uid kind state every starts_at count makes runs created_at ' + 'version',
  scheduled_transaction: 'partition id account_uid waits position',
  schema_migration: 'id timestamp name',
  secret: 'partition id value',
  secure_contact: 'partition id account_uid person terms in_force_from counters status registered_at',
  setting_fingerprint: 'name fingerprint',
  subject_key: 'partition subject lookup wrapped_key',
  subscription: 'partition consumer position',
  transaction: 'partition id type state account_uid amount charges state_dates position version',
  transaction_search:
    'partition id partner_uid type state amount registered_at position version changes ' + 'changed_position',
  transaction_subject: 'partition subject id',
  transaction_total: 'partition step at type state latency count amount',
  tree_node: 'partition level index hash',
  unsealed_deliveries: 'partition up_to',
  verification_run: 'id started_by status started_at seen_at examined total',
  webhook_delivery:
    'partition id position chain account_uid partner_uid lane url material status tries ' +
    'attempts_made attempts redelivery_position',
  work: 'partition id kind subject payload attempts',
};
