import { ADMIN_TOKEN } from './server.ts';

export interface SeededPartner {
  readonly uid: string;
  /** Of the first account, and its access key. */
  readonly token: string;
  readonly credentials: Record<string, unknown>;
  readonly accounts: readonly string[];
  readonly webhookSecret: string;
}

/** Creates partners with funded accounts through the service's routes, concurrently. */
export async function seed(base: string, partners: number, accountsEach: number): Promise<SeededPartner[]> {
  const made: SeededPartner[] = [];
  const next = Array.from({ length: partners }, (_, i) => i);
  const work = async () => {
    for (let i = next.pop(); i !== undefined; i = next.pop()) made.push(await seedPartner(base, i, accountsEach));
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return made;
}

async function seedPartner(base: string, number: number, accounts: number): Promise<SeededPartner> {
  const taxNumber = cnpj(number + 1);
  const { uid, webhookSecret } = await admin(base, '/partners', { name: `Bench ${number}`, taxNumber });
  const uids: string[] = [];
  for (let i = 0; i < accounts; i++) {
    const account = await admin(base, `/partners/${uid}/accounts`, { name: 'Bench', taxNumber });
    await admin(base, `/accounts/${account.uid}/credits`, { amount: '10000000.00', reason: 'Bench' });
    uids.push(account.uid as string);
  }
  return {
    ...(await keyFor(base, uids[0]!)),
    uid: uid as string,
    accounts: uids,
    webhookSecret: webhookSecret as string,
  };
}

/** An access key of an account, and a token of it. */
export async function keyFor(base: string, accountUid: string) {
  const credentials = await admin(base, `/accounts/${accountUid}/access-keys`, {});
  const { token } = await post(`${base}/partners-int/login`, credentials, {});
  return { credentials, token: token as string };
}

/** A token that acts for one account. */
export async function tokenFor(base: string, accountUid: string): Promise<string> {
  return (await keyFor(base, accountUid)).token;
}

function admin(base: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  return post(`${base}/admin${path}`, body, { authorization: `Bearer ${ADMIN_TOKEN}` });
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as { data: Record<string, unknown> };
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${JSON.stringify(json)}`);
  return json.data;
}

export function cnpj(number: number): string {
  const base = String(number).padStart(12, '0');
  const digit = (text: string, weights: number[]) => {
    const rest = weights.reduce((sum, weight, i) => sum + weight * Number(text[i]), 0) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const first = digit(base, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
  return `${base}${first}${digit(`${base}${first}`, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])}`;
}
