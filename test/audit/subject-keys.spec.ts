import { afterEach, describe, expect, it } from '@jest/globals';
import { PartnerApi } from '../support/api.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});
copyForEach((given) => ({ ledger, copy } = given));

/** Of the holder of the partner's first account. */
async function holder(): Promise<string> {
  const [row] = await copy.query(`select holder ->> 'subject' as subject from account where uid = $1`, [
    ledger.partner.accounts[0],
  ]);
  return row!.subject;
}

const flip = (subject: string) =>
  copy.query(
    `update subject_key set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1) where subject = $1`,
    [subject],
  );

describe('verify, of the keys that open personal data', () => {
  it('finds all of them valid, with one value of each or every one', async () => {
    const [one, all] = [await copy.verify(), await copy.verify('--deep')];
    expect([one.code, all.code]).toEqual([0, 0]);
    const [keys] = await copy.query('select count(*)::int as count from subject_key');
    expect(one.report.examined).toMatchObject({ 'subject keys': keys!.count, 'subject look-ups': keys!.count });
  });

  it('reports one deleted without SubjectForgotten, one with a changed bit, and one that is another’s', async () => {
    const deleted = await holder();
    const others = await copy.query('select subject from subject_key where subject <> $1 order by subject', [deleted]);
    const [flipped, replaced, whole] = others.map(({ subject }) => subject as string);
    await copy.query('delete from subject_key where subject = $1', [deleted]);
    await flip(flipped!);
    await copy.query(
      `update subject_key set wrapped_key = (select wrapped_key from subject_key where subject = $2)
       where subject = $1`,
      [replaced, whole],
    );
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const check = 'subject keys';
    const found = new Map(report.divergences.map((one: any) => [one.subject, one]));
    expect(found.get(`subject ${deleted}`)).toMatchObject({ check, field: 'key', found: 'nothing' });
    expect(found.get(`subject ${flipped}`)).toMatchObject({ check });
    expect(found.get(`subject ${replaced}`)).toMatchObject({ check });
    expect(report.divergenceCount).toBe(3);
  });
});

describe('verify, of the look-ups that keys are found by', () => {
  it('reports two that were swapped: another person would be meant, and forgotten, from then on', async () => {
    const [one, other] = await copy.query(
      'select subject, lookup from subject_key where partition = 0 order by subject',
    );
    for (const [subject, lookup] of [
      [one!.subject, Buffer.alloc(32)],
      [other!.subject, one!.lookup],
      [one!.subject, other!.lookup],
    ]) {
      await copy.query('update subject_key set lookup = $2 where subject = $1', [subject, lookup]);
    }
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const what = { check: 'subject look-ups', field: 'lookup', partition: 0 };
    expect(report.divergences).toMatchObject([what, what]);
    expect(report.divergences.map(({ subject }: any) => subject).sort()).toEqual([
      `subject ${one!.subject}`,
      `subject ${other!.subject}`,
    ]);
  });
});

describe('a damaged key', () => {
  it('empties its subject’s data, and the page of accounts still answers', async () => {
    await flip(await holder());
    service = await startService(copy.url, copy.env);
    const api = await PartnerApi.login(service.url, ledger.partner.credentials);
    const { status, body } = await api.get('/accounts');
    expect(status).toBe(200);
    // One person holds all accounts of this partner.
    const names = body.data.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual(ledger.partner.accounts.map(() => ''));
  });
});
