import { afterEach, describe, expect, it } from '@jest/globals';
import { call, OperatorApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';
import { asOwner } from '../support/tamper.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;
let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});
copyForEach((given) => ({ ledger, copy, partition } = given));

const change = () =>
  copy.query(`update tree_node set hash = sha256(hash) where partition = $1 and level = 4 and index = 0`, [partition]);

describe('a changed stored node of the tree', () => {
  it('is reported by verify, yields no proof, and is rebuilt by rebuild', async () => {
    service = await startService(copy.url, copy.env);
    const { token } = await new OperatorApi(service.url).post('/auditors', { name: 'All' });
    const ask = (path: string) => call(service!.url, 'GET', `/audit/proofs/${path}`, { token });
    const inclusion = `inclusion?partition=${partition}&position=${ledger.sealed}`;
    expect((await ask(inclusion)).status).toBe(200);
    await change();
    for (const path of [inclusion, `consistency?partition=${partition}&from=17`]) {
      const { status, body } = await ask(path);
      expect([status, body.error.name]).toEqual([503, 'ServiceUnavailable']);
    }
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.divergences).toMatchObject([
      { check: 'rows of tree nodes', partition, position: '1', subject: 'node 0 of level 4' },
    ]);
    const rebuilt = await copy.ledger(['rebuild', '--projection', 'tree-nodes']);
    expect(rebuilt.stdout).toMatch(/^tree-nodes: built anew from \d+ events$/m);
    await eventually(async () => (await ask(inclusion)).status === 200);
    expect((await copy.verify()).code).toBe(0);
  }, 30_000);
});

describe('a changed stored node beyond the checkpoint of the tree, which was set back', () => {
  it.each([
    ['to nothing', `update subscription set position = 0 where consumer = 'tree-nodes'`],
    ['and is gone', `delete from subscription where consumer = 'tree-nodes'`],
  ])('%s, is reported by verify', async (_how, setBack) => {
    await copy.query(setBack);
    await change();
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.divergences).toContainEqual(
      expect.objectContaining({ check: 'rows of tree nodes', partition, subject: 'node 0 of level 4' }),
    );
  });
});

describe('a stored node that is missing or without its events, and rows without a head', () => {
  it('are reported by verify: an event beyond the head, and rows of a partition without one, too', async () => {
    await copy.query(`delete from tree_node where partition = $1 and level = 4 and index = 0`, [partition]);
    await copy.query(`insert into tree_node values ($1, 20, 7, '\\x00'), ($1, 3, 0, '\\x00')`, [partition]);
    await asOwner(
      copy,
      [
        `insert into event select partition, position + 1, gen_random_uuid(), 'transfer-forged', 1, type, schema_version,
           time, data, metadata, leaf from event where partition = $1 and position = $2`,
        [partition, ledger.size],
      ],
      [
        `insert into event select 77, 1, gen_random_uuid(), stream, 1, type, schema_version, time, data, metadata, leaf
        from event where partition = $1 and position = 1`,
        [partition],
      ],
      [`insert into subject_key select 78, subject, lookup, wrapped_key from subject_key limit 1`],
    );
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const nodes = report.divergences.filter(({ check }: any) => check === 'rows of tree nodes');
    expect(nodes.map(({ subject, found }: any) => [subject, found])).toEqual([
      ['node 0 of level 4', 'nothing'],
      ['node 0 of level 3', '00'],
      ['node 7 of level 20', '00'],
    ]);
    const at = { check: 'positions', partition, position: String(ledger.size + 1), found: 'TransferSettled' };
    expect(report.divergences).toContainEqual(expect.objectContaining(at));
    const others = report.divergences.filter(({ check }: any) => check !== 'rows of tree nodes');
    expect(others).toHaveLength(3);
    for (const [where, subject] of [
      [77, 'table event'],
      [78, 'table subject_key'],
    ]) {
      const gone = { check: 'partitions', partition: where, subject, field: 'head' };
      expect(report.divergences).toContainEqual(expect.objectContaining(gone));
    }
  });
});
