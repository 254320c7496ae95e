import { afterAll, beforeAll, expect } from '@jest/globals';
import { eventually } from './eventually.js';
import { runLedger } from './ledger-cli.js';
import { WebhookWorld } from './webhook-world.js';

/** Deliveries whose rows somebody changes, and what `ledger verify` says of them. */
export let world: WebhookWorld;

/** One for the tests of a `describe`. What fails is tried again in an hour. */
export function oneWorld(): void {
  beforeAll(async () => {
    world = await WebhookWorld.start({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });
    world.receiver.behave('/gone', '410');
    world.receiver.behave('/fails', '500');
    world.receiver.behave('/fails-later', '200', '500');
  }, 30_000);
  afterAll(() => world?.stop());
}

export interface State extends Record<string, unknown> {
  readonly status: string;
  readonly tries: number;
  readonly redelivery_position: string;
  readonly seal: Buffer | null;
  readonly due_at: Date | null;
}

export const ledger = (args: readonly string[], settings: Record<string, string> = {}) =>
  runLedger(args, { DATABASE_URL: world.database.url, ...settings });

export async function stateOf(id: string): Promise<State> {
  const columns = 'status, tries, redelivery_position, seal, due_at';
  return (await world.database.query<State>(`select ${columns} from webhook_delivery where id = $1`, [id]))[0]!;
}

/** As somebody with the database's password does it. */
export async function write(id: string, state: Partial<State>): Promise<void> {
  const set = Object.keys(state).map((column, i) => `${column} = $${i + 2}`);
  await world.database.query(`update webhook_delivery set ${set.join(', ')} where id = $1`, [
    id,
    ...Object.values(state),
  ]);
}

export interface Verdict {
  readonly code: number;
  /** What `verify` says of each delivery that it names. */
  readonly named: Record<string, string>;
  /** Its warnings about deliveries. */
  readonly warnings: string[];
}

export async function verified(settings: Record<string, string> = {}): Promise<Verdict> {
  const { code, stdout, stderr } = await ledger(['verify', '--json'], settings);
  if (stdout === '') throw new Error(stderr);
  const report: { divergences: { subject: string; field: string; found: string }[]; warnings: string[] } =
    JSON.parse(stdout);
  const named = report.divergences.map((one) => [one.subject.split(' ').at(-1), `${one.field}: ${one.found}`]);
  const warnings = report.warnings.filter((one) => one.includes('webhook deliveries'));
  return { code, named: Object.fromEntries(named), warnings };
}

export const named = async (settings: Record<string, string> = {}) => (await verified(settings)).named;

export async function sent(path: string, status: string): Promise<string> {
  const id = await world.send(path);
  await world.inStatus(id, status);
  return id;
}

export async function askAgain(id: string): Promise<void> {
  expect(await world.session.post(`/webhooks/deliveries/${id}/redeliver`)).toMatchObject({ status: 202 });
}

export async function sentAgain(id: string, status: string): Promise<void> {
  const { redelivery_position: before } = await stateOf(id);
  await askAgain(id);
  await eventually(async () => {
    const now = await stateOf(id);
    return now.redelivery_position !== before && now.status === status;
  });
}
