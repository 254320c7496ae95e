/**
 * Where a table lives once the database is spread over several machines (Citus, docs/scale.md):
 * - `distributed`: in shards by its column `partition`, colocated with `log_head`;
 * - `reference`: whole on every machine, for what is small, read everywhere and seldom written;
 * - `local`: at the coordinator alone, for what no other machine needs.
 */
export type Placement =
  | {
      readonly kind: 'distributed';
      /** Written by a follower, which may replace the table (`ledger rebuild`): no write lane has it open. */
      readonly rebuilt?: true;
    }
  | { readonly kind: 'reference' | 'local'; readonly reason: string };

const distributed: Placement = { kind: 'distributed' };
const rebuilt: Placement = { kind: 'distributed', rebuilt: true };
const registry: Placement = {
  kind: 'reference',
  reason: 'the registry: partition 0 only, read by every command, written by the operator',
};
const rail: Placement = {
  kind: 'local',
  reason: 'the sandbox plays a bank elsewhere: its books share nothing with the ledger but the server',
};

const people: Placement = {
  kind: 'local',
  reason: 'of people at the console, not of the ledger: a few rows, which no statement joins with its tables',
};

/** Every table of the migrations, by schema and name. A migration that makes a table says here where it lives. */
export const placements: Readonly<Record<string, Placement>> = {
  'public.log_head': distributed,
  'public.event': distributed,
  'public.idempotency': distributed,
  'public.subject_key': distributed,
  'public.forgotten_subject': distributed,
  'public.secret': distributed,
  'public.subscription': distributed,
  'public.work': distributed,
  'public.account': distributed,
  'public.hold': distributed,
  'public.infraction': distributed,
  'public.recovery': distributed,
  'public.payee_uses': distributed,
  'public.secure_contact': distributed,
  'public.entry': rebuilt,
  'public.transaction': distributed,
  'public.scheduled_transaction': distributed,
  'public.schedule': distributed,
  'public.pix_movement': rebuilt,
  'public.pix_sweep': distributed,
  'public.payout_file': distributed,
  'public.payout_file_input': distributed,
  'public.payout_file_ending': rebuilt,
  'public.account_webhook': distributed,
  'public.webhook_delivery': distributed,
  'public.unsealed_deliveries': distributed,
  'public.tree_node': distributed,
  'public.checkpoint': distributed,
  'public.transaction_search': rebuilt,
  'public.transaction_subject': rebuilt,
  'public.transaction_total': rebuilt,
  'public.directory_word': rebuilt,

  'public.partner': registry,
  'public.partner_tax_number': registry,
  'public.access_key': registry,
  'public.registry_secret': registry,
  'public.auditor': registry,
  'public.reconciled_day': registry,
  'public.reconciliation_case': registry,

  'public.setting_fingerprint': {
    kind: 'local',
    reason: 'two rows, read when a process starts; whoever changes a reference table needs more rights than insert',
  },
  'public.schema_migration': { kind: 'local', reason: 'which migrations ran; they run at the coordinator' },
  'public.console_session': people,
  'public.verification_run': people,
  'sandbox.charge': rail,
  'sandbox.payment_in': rail,
  'sandbox.payment_out': rail,
  'sandbox.refund_out': rail,
  'sandbox.refund_in': rail,
  'sandbox.infraction': rail,
  'sandbox.recovery': rail,
  'sandbox.task': rail,
  'sandbox.behaviour': rail,
};
