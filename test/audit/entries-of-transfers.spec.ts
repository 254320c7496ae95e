import { rm } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { startService } from '../support/service.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';

/**
 * A transfer made at once has its statement entries in its own row (docs/adr/0038). The version before kept them in
 * `entry`: a log has both.
 */
let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;
/** What the version before wrote ends here. */
let last: number;

copyForEach((given) => ({ ledger, copy, partition } = given));

beforeEach(async () => {
  last = await copy.transferAt(11);
});

/** Makes the first transfers those of the version before: event, rows, hashes. */
async function makeOld(): Promise<void> {
  const old = `partition = $1 and position <= $2 and type = `;
  for (const [account, number, amount, balance] of [
    ['account_uid', 'entry', '-amount', 'balance'],
    ['counterparty_uid', 'counterparty_entry', 'amount', 'counterparty_balance'],
  ]) {
    await copy.query(
      `insert into entry
       select partition, ${account}, ${number}, position, 'available', ${amount}, ${balance}, 'Transfer', id,
         details->'orderDescription', (state_dates->>'Completed')::timestamptz
       from transaction where ${old} 'Transfer'`,
      [partition, last],
    );
  }
  await copy.query(
    `update transaction set entry = null, balance = null, counterparty_entry = null, counterparty_balance = null
     where ${old} 'Transfer'`,
    [partition, last],
  );
  await asOwner(copy, [`update event set schema_version = 1 where ${old} 'TransferSettled'`, [partition, last]]);
  await recomputeHashes(copy, partition);
  // Nothing was signed yet.
  await copy.query('delete from tree_node where partition = $1', [partition]);
  await copy.query(`update subscription set position = 0 where partition = $1 and consumer = 'tree-nodes'`, [
    partition,
  ]);
  await copy.query('alter table checkpoint disable trigger all');
  await copy.query('delete from checkpoint where partition = $1', [partition]);
  await copy.query('alter table checkpoint enable trigger all');
  await rm(copy.env.CHECKPOINT_DIR!, { recursive: true });
}

/** Everything that is read from entries, of each account. */
async function readAll(): Promise<unknown> {
  const service = await startService(copy.url, copy.env);
  try {
    const partner = await PartnerApi.login(service.url, ledger.partner.credentials);
    const operator = new OperatorApi(service.url);
    const answers: unknown[] = [];
    for (const uid of ledger.partner.accounts) {
      const whole = await everyPage((query) => partner.get(`/accounts/${uid}/statement?limit=100${query}`));
      const [newest, middle, oldest] = [whole[0], whole[whole.length >> 1], whole.at(-1)];
      const period = `&from=${oldest.date}&to=${middle.date}`;
      answers.push(
        whole,
        await everyPage((query) => partner.get(`/accounts/${uid}/statement?limit=3${query}`)),
        await everyPage((query) => partner.get(`/accounts/${uid}/statement?limit=2${period}${query}`)),
        await operator.get(`/accounts/${uid}/balances?points=500`),
        await operator.get(`/accounts/${uid}/balances?points=4`),
        await operator.get(`/accounts/${uid}/balances?points=500&from=${middle.date}&to=${newest.date}`),
      );
    }
    return answers;
  } finally {
    await service.kill('SIGTERM');
  }
}

async function everyPage(read: (query: string) => Promise<any>): Promise<any[]> {
  const items: any[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: any = await read(cursor && `&cursor=${cursor}`);
    items.push(...body.data.items);
    cursor = body.data.nextCursor;
  }
  return items;
}

describe('entries of transfers', () => {
  it('are read the same, whether in their own row or in `entry`, as the version before wrote them', async () => {
    const before = (await readAll()) as any[];
    const [whole, inPages, ofPeriod, series] = before;
    expect(whole).toHaveLength(26);
    expect(inPages).toEqual(whole);
    expect(ofPeriod.length).toBeGreaterThan(5);
    expect(series).toMatchObject({ entries: 26 });
    expect(await copy.query('select from entry where partition = $1 and kind = $2', [partition, 'Transfer'])).toEqual(
      [],
    );
    await makeOld();
    expect(await readAll()).toEqual(before);
  });

  /** An amount of each that the version before wrote, and an entry of each other. */
  async function tamper(): Promise<void> {
    await copy.query(`update entry set amount = amount + 1 where kind = 'Transfer'`);
    await copy.query('update transaction set entry = 1');
  }

  it('of both kinds are verified', async () => {
    await makeOld();
    expect(await copy.verify('--deep')).toMatchObject({ code: 0, report: { divergences: [] } });
    await tamper();
    const { report } = await copy.verify();
    expect(report.divergences.filter(({ check }: any) => check === 'rows of entries')).toHaveLength(24);
    expect(report.divergences.filter(({ check }: any) => check === 'rows of transactions')).toHaveLength(25);
  });

  it('of both kinds are rebuilt and replayed', async () => {
    await makeOld();
    const both = async () => ({
      entries: await copy.query('select * from entry order by partition, account_uid, number'),
      transfers: await copy.query('select * from transaction order by id'),
    });
    const before = await both();
    expect(before.entries).toHaveLength(4 + 24);
    await tamper();
    for (const projection of ['entries', 'transactions']) {
      expect((await copy.ledger(['rebuild', '--projection', projection])).code).toBe(0);
    }
    expect(await both()).toEqual(before);
    const uid = ledger.partner.accounts[0]!;
    const { stdout } = await copy.ledger(['replay', 'account', uid, '--format', 'json']);
    expect(JSON.parse(stdout).map(({ entry }: any) => Number(entry))).toEqual(
      Array.from({ length: 26 }, (_, i) => i + 1),
    );
  });
});
