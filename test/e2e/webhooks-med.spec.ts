import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { PAYER } from '../support/pix-edge.js';
import { WebhookWorld } from '../support/webhook-world.js';

/** What a partner is told of reports and recoveries, as its receiver gets it: signed, from a process to another. */

let world: WebhookWorld;

beforeAll(async () => (world = await WebhookWorld.start()), 60_000);

afterAll(async () => {
  if (world) await assertLedgerSound(world.database);
  await world?.stop();
});

const sandbox = async (method: string, path: string, body?: object) => {
  const answer = await call(world.service.url, method, `/sandbox/pix${path}`, { body });
  expect(answer.status).toBeLessThan(300);
  return answer.body.data;
};
const decide = (id: string, body: object) => world.operator.post(`/med/${id}/decision`, body);

/** An account whose partner hears of it, and of each payment, at paths of its own. */
class Listener {
  private constructor(
    readonly uid: string,
    readonly other: string,
    readonly api: PartnerApi,
    private readonly path: string,
  ) {}

  static async begin(path: string, balance = '0.00'): Promise<Listener> {
    const { accounts, credentials, webhookSecret } = await world.operator.partner([balance, '0.00']);
    const [uid, other] = accounts as [string, string];
    const api = await PartnerApi.login(world.service.url, credentials);
    world.receiver.trust([webhookSecret]);
    const body = { url: world.receiver.url(path) };
    const address = `/partners-int/accounts/${uid}/webhook`;
    const set = await call(world.service.url, 'PUT', address, { token: api.token, body });
    expect(set.status).toBe(200);
    return new Listener(uid, other, api, path);
  }

  /** Everything told of one kind, in the order in which it came, once there is so much of it. */
  async told(kind: 'hold' | 'infraction' | 'recovery', count: number): Promise<any[]> {
    const those = () =>
      world.receiver.at(this.path).filter(({ body }) => (JSON.parse(body).type as string).startsWith(`${kind}.`));
    const receipts = await eventually(() => those().length >= count && those());
    expect(receipts.every(({ verifiedBy }) => verifiedBy === 0)).toBe(true);
    return receipts.map(({ body }) => JSON.parse(body));
  }

  /** Of each: the type, and the amounts that it has. */
  async shortly(kind: 'hold' | 'infraction', count: number): Promise<string[]> {
    const all = await this.told(kind, count);
    return all.map(({ type, data }) => [type, data.blocked ?? data.amount].filter(Boolean).join(' '));
  }

  async deposit(original: string): Promise<{ id: string; endToEndId: string }> {
    const made = await this.api.post('/accounts/pix/cashin', {
      payment: { value: { original } },
      transaction: { orderId: 'pedido' },
      webhook: { url: world.receiver.url(`${this.path}/payments`) },
    });
    const { transaction, payment } = made.body.data;
    await sandbox('POST', '/payments', { qrCode: payment.qrCode, payer: PAYER });
    return this.reaches(transaction.id, 'Completed');
  }

  async payout(value: string): Promise<string> {
    const made = await this.api.post('/accounts/pix/cashout', {
      payment: { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '11144477735' } },
      transaction: { orderId: `saida-${value}` },
      webhook: { url: world.receiver.url(`${this.path}/payments`) },
    });
    const { id } = made.body.data.transaction;
    await this.reaches(id, 'Completed');
    return id;
  }

  reaches(id: string, state: string): Promise<any> {
    return eventually(async () => {
      const { transaction } = (await this.api.get(`/accounts/transactions/${id}`)).body.data;
      return transaction.state === state && transaction;
    });
  }

  /** A report about a deposit. @returns its identifier at the rail, and the case */
  async report(endToEndId: string): Promise<{ railId: string; opened: any }> {
    const { id: railId } = await sandbox('POST', '/infractions', { endToEndId, reason: 'Scam', details: 'Golpe' });
    const { items } = (await this.api.get('/med?limit=1')).body.data;
    return { railId, opened: items[0] };
  }

  /** Notifications of the payments themselves. */
  async payments(count: number): Promise<any[]> {
    return (await world.receiver.arrived(`${this.path}/payments`, count)).map(({ body }) => JSON.parse(body));
  }
}

describe('a report about a deposit', () => {
  it('is told with its deadlines, and so are the decision, what is blocked, and what goes back', async () => {
    const listener = await Listener.begin('/agreed');
    const { uid } = listener;
    const { id: transactionId, endToEndId } = await listener.deposit('50.00');
    await listener.api.transfer(listener.other, '20.00');
    const { opened } = await listener.report(endToEndId);
    const { id, defenceUntil, decideUntil, returnUntil } = opened;
    const common = { id, accountUid: uid, transactionId };
    expect(await listener.told('infraction', 1)).toEqual([
      {
        type: 'infraction.reported',
        timestamp: opened.stateDates.Open,
        data: { ...common, amount: '50.00', defenceUntil, decideUntil, returnUntil },
      },
    ]);
    const [placed] = await listener.told('hold', 1);
    const hold = { accountUid: uid, id: opened.holdId, cause: 'Med', reference: id, amount: '50.00', blocked: '30.00' };
    expect(placed).toMatchObject({ type: 'hold.placed', data: hold });
    await world.operator.post(`/accounts/${uid}/credits`, { amount: '5.00', reason: 'Teste' });
    await listener.told('hold', 2);
    await decide(id, { decision: 'Agreed', amount: '40.00' });
    await listener.shortly('infraction', 3);
    await world.operator.post(`/accounts/${uid}/credits`, { amount: '9.00', reason: 'Teste' });
    expect((await listener.told('infraction', 5)).map(({ type, data }) => ({ type, ...data }))).toEqual([
      expect.anything(),
      { type: 'infraction.agreed', ...common, amount: '40.00' },
      { type: 'infraction.returned', ...common, amount: '35.00' },
      { type: 'infraction.returned', ...common, amount: '5.00' },
      { type: 'infraction.closed', ...common },
    ]);
    expect(await listener.shortly('hold', 7)).toEqual([
      'hold.placed 30.00',
      'hold.filled 35.00',
      'hold.drawn 0.00',
      'hold.filled 9.00',
      'hold.released 5.00',
      'hold.drawn 0.00',
      'hold.released 0.00',
    ]);
    // The returns are refunds of the deposit, and told as such.
    const refunds = (await listener.payments(3)).filter(({ transactionType }) => transactionType !== 'Credit');
    expect(refunds.map(({ transactionState }) => transactionState)).toEqual(['Completed', 'Completed']);
    expect(JSON.stringify(await listener.told('infraction', 5))).not.toMatch(/Golpe|Fulano|52998224725/);
  });

  it('is told when it is rejected, and when its payer takes it back', async () => {
    const listener = await Listener.begin('/rejected');
    const { opened: rejected } = await listener.report((await listener.deposit('8.00')).endToEndId);
    await decide(rejected.id, { decision: 'Rejected', note: 'Kept to ourselves' });
    expect(await listener.shortly('infraction', 2)).toEqual(['infraction.reported 8.00', 'infraction.rejected']);
    expect(await listener.shortly('hold', 2)).toEqual(['hold.placed 8.00', 'hold.released 0.00']);
    const { railId } = await listener.report((await listener.deposit('9.00')).endToEndId);
    await sandbox('POST', `/infractions/${railId}/cancel`);
    expect((await listener.shortly('infraction', 4)).slice(2)).toEqual([
      'infraction.reported 9.00',
      'infraction.cancelled',
    ]);
    expect((await listener.shortly('hold', 4)).slice(2)).toEqual(['hold.placed 9.00', 'hold.released 0.00']);
    expect(JSON.stringify(world.receiver.receipts)).not.toContain('Kept to ourselves');
  });

  it('whose return the rail refuses has its money blocked again, and says so', async () => {
    const listener = await Listener.begin('/refused');
    const { opened } = await listener.report((await listener.deposit('6.00')).endToEndId);
    await sandbox('PUT', '/behaviour', { refunds: 'hold' });
    await decide(opened.id, { decision: 'Agreed' });
    await listener.told('hold', 2);
    const [{ id }] = (await world.database.query<{ id: string }>(
      `select id from transaction where details->>'infractionId' = $1`,
      [opened.id],
    )) as [{ id: string }];
    await eventually(() =>
      world.database.query(`select from sandbox.refund_out where status = 'Pending'`).then((rows) => rows.length === 1),
    );
    await sandbox('POST', `/transactions/${id}/fail`);
    await sandbox('PUT', '/behaviour', { refunds: 'settle' });
    expect(await listener.shortly('hold', 3)).toEqual(['hold.placed 6.00', 'hold.drawn 0.00', 'hold.restored 6.00']);
    expect(await listener.shortly('infraction', 2)).toEqual(['infraction.reported 6.00', 'infraction.agreed 6.00']);
  });
});

describe('a recovery of a payout', () => {
  it('is told when it is agreed to, and when it is refused; its money comes as a refund', async () => {
    const listener = await Listener.begin('/recovery', '100.00');
    const { uid: accountUid } = listener;
    const ask = async (payout: string) => {
      const asked = await listener.api.post(`/accounts/pix/cashout/${payout}/recovery`, {
        reason: 'Scam',
        details: 'Golpe',
      });
      expect(asked.status).toBe(201);
      const { id } = asked.body.data;
      await eventually(
        async () => (await world.database.query('select from sandbox.recovery where id = $1', [id])).length === 1,
      );
      return id as string;
    };
    const payouts = [await listener.payout('30.00'), await listener.payout('40.00')] as const;
    const accepted = await ask(payouts[0]);
    await sandbox('POST', `/recoveries/${accepted}/accept`, { amount: '12.00' });
    const refused = await ask(payouts[1]);
    await sandbox('POST', `/recoveries/${refused}/refuse`);
    const told = await listener.told('recovery', 2);
    expect(told.map(({ type, data }) => ({ type, ...data })).sort((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      { type: 'recovery.accepted', id: accepted, accountUid, transactionId: payouts[0], amount: '12.00' },
      { type: 'recovery.refused', id: refused, accountUid, transactionId: payouts[1], refusalCode: 'Disagreed' },
    ]);
    const credits = (await listener.payments(3)).filter(({ transactionType }) => transactionType === 'Credit');
    expect(credits).toMatchObject([{ transactionState: 'Completed', transactionAmount: '12.00' }]);
  });
});
