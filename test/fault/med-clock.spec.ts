import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { MovingClock } from '../support/moving-clock.js';
import { PixEdge } from '../support/pix-edge.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let clock: MovingClock;
let edge: PixEdge;
let uid: string;

beforeAll(async () => {
  clock = await MovingClock.make();
  edge = await PixEdge.start(clock.settings);
  uid = edge.partner.accounts[0]!;
}, 60_000);

afterAll(async () => {
  await edge?.stop();
  await clock?.remove();
});

/** Days later; tokens of before have expired. */
async function daysLater(days: number): Promise<void> {
  await clock.jumpTo(days * DAY_MS);
  const token = await eventually(
    async () => {
      const { url } = edge.service;
      const { data } = (await call(url, 'POST', '/partners-int/login', { body: edge.partner.credentials })).body;
      // Of the time that the process has now.
      return Date.parse(data.expiresAt) > Date.now() + days * DAY_MS && (data.token as string);
    },
    { within: 20_000 },
  );
  edge.api = PartnerApi.withToken(edge.service.url, token);
}

async function openCase(amount: string): Promise<any> {
  const { id, qrCode } = await edge.cashIn(amount);
  await edge.pay(qrCode);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  await edge.sandbox('POST', '/infractions', { endToEndId, reason: 'Coercion' });
  return eventually(async () => (await edge.api.get('/med?status=Open&limit=1')).body.data.items[0]);
}

const operator = () => new OperatorApi(edge.service.url);
const caseOf = (id: string) => operator().get(`/med/${id}`);
const refused = (answer: { body: any }) => answer.body.error.details.reason;

describe('deadlines of a report, of which the process that made them was killed', () => {
  it('come: no defence after five days, overdue after seven, and nothing blocked after ninety', async () => {
    const before = await edge.api.balance(uid);
    const undecided = await openCase('10.00');
    const agreed = await openCase('20.00');
    // Nothing but the two deposits is there, and all of it is blocked.
    await edge.api.transfer(edge.partner.accounts[1]!, before.available);
    await operator().post(`/med/${agreed.id}/decision`, { decision: 'Agreed' });
    await eventually(async () => (await caseOf(agreed.id)).status === 'Closed');
    const another = await openCase('30.00');
    expect(await edge.api.balance(uid)).toEqual({ available: '0.00', held: '0.00', blocked: '40.00' });
    await edge.killAndRestart();

    await daysLater(6);
    expect(refused(await edge.api.post(`/med/${undecided.id}/defence`, { text: 'Tarde' }))).toBe('DefenceNotPossible');
    expect(await caseOf(undecided.id)).toMatchObject({ status: 'Open', overdue: false });
    await daysLater(8);
    await eventually(async () => (await caseOf(undecided.id)).overdue, { within: 20_000 });
    expect(await edge.api.balance(uid)).toMatchObject({ blocked: '40.00' });
    const { body } = await edge.get('/metrics');
    expect(body).toMatch(/^med_reports_overdue 2$/m);
    expect((await operator().get('/overview')).cases).toMatchObject({ overdue: 2 });

    await daysLater(91);
    for (const { id } of [undecided, another]) {
      const closed = await eventually(
        async () => {
          const known = await caseOf(id);
          return known.status === 'Closed' && known;
        },
        { within: 20_000 },
      );
      expect(closed).toMatchObject({ ending: 'PeriodEnded', returned: '0.00' });
    }
    expect(await edge.api.balance(uid)).toEqual({ available: '40.00', held: '0.00', blocked: '0.00' });
    expect(await edge.database.query(`select from work where kind = 'med-case'`)).toEqual([]);
    await assertLedgerSound(edge.database);
  }, 120_000);

  it('of a recovery is the eightieth day', async () => {
    await operator().post(`/accounts/${uid}/credits`, { amount: '10.00', reason: 'Teste' });
    const payout = await edge.cashOut('5.00');
    await edge.reaches(payout, 'Completed');
    await daysLater(91 + 82);
    const answer = await edge.api.post(`/accounts/pix/cashout/${payout}/recovery`, {
      reason: 'Scam',
      details: 'Golpe',
    });
    expect(refused(answer)).toBe('RecoveryPeriodExpired');
  }, 60_000);
});

/** A superuser deletes the rows: until then no process may have done the work. */
async function loseWakes(): Promise<void> {
  await followed(edge.database);
  const wakes = () => edge.database.query(`select from work where kind = 'med-wake'`);
  await eventually(async () => (await wakes()).length === 0);
  await edge.database.query(`
    create function nothing() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger lost before insert on work for each row when (new.kind = 'med-wake') execute function nothing()`);
}

describe('a case that was agreed with, and whose wake is lost', () => {
  it('is looked at within a day, and its money goes back', async () => {
    const { id } = await openCase('15.00');
    await loseWakes();
    await operator().post(`/med/${id}/decision`, { decision: 'Agreed' });
    await followed(edge.database);
    await edge.database.query('drop function nothing cascade');
    expect(await caseOf(id)).toMatchObject({ status: 'Agreed', returned: '0.00' });
    await daysLater(91 + 82 + 1.01);
    const closed = await eventually(
      async () => {
        const known = await caseOf(id);
        return known.status === 'Closed' && known;
      },
      { within: 20_000 },
    );
    expect(closed).toMatchObject({ ending: 'Returned', returned: '15.00' });
  }, 60_000);
});
