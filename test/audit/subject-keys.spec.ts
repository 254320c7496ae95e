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
    expect(one.report.examined['subject keys']).toBe(keys!.count);
  });

  it('reports one that was deleted without SubjectForgotten', async () => {
    const subject = await holder();
    await copy.query('delete from subject_key where subject = $1', [subject]);
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.divergences).toMatchObject([
      { check: 'subject keys', subject: `subject ${subject}`, field: 'key', found: 'nothing' },
    ]);
  });

  it('reports one with a changed bit, and one that replaces another', async () => {
    const subject = await holder();
    await flip(subject);
    const flipped = await copy.verify();
    expect(flipped.report.divergences).toMatchObject([{ check: 'subject keys', subject: `subject ${subject}` }]);
    await copy.query(
      `update subject_key set wrapped_key = (select wrapped_key from subject_key where subject <> $1 limit 1)
       where subject = $1`,
      [subject],
    );
    const swapped = await copy.verify();
    expect(swapped.report.divergences).toMatchObject([{ check: 'subject keys', subject: `subject ${subject}` }]);
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
