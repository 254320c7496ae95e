import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';
import { asOwner } from '../support/tamper.js';

/** Somebody stops a running process from noticing what becomes of a stolen key, and leaves no trace. */
let ledger: LedgerFixture;
let copy: LedgerCopy;
let service: Service;
let operator: OperatorApi;
let thief: PartnerApi;
let key: string;

afterEach(() => service?.stop());
copyForEach((given) => ({ ledger, copy } = given));
beforeEach(async () => {
  key = ledger.partner.credentials.accessKey;
  service = await startService(copy.url, { ...copy.env, CHECKPOINT_INTERVAL_SECONDS: '86400' });
  operator = new OperatorApi(service.url);
  thief = await PartnerApi.login(service.url, ledger.partner.credentials);
  expect(await use()).toBe(200);
}, 30_000);

const use = async () => (await thief.get('/accounts')).status;
const disable = () => operator.post(`/access-keys/${key}/disable`);
const enable = () => operator.post(`/access-keys/${key}/enable`);
/** A change of the registry is answered once the process has read the registry's log to its end. */
const readOn = () => operator.post('/auditors', { name: 'One' });
const headOfRegistry = async () => (await copy.query('select * from log_head where partition = 0'))[0]!;

/** Copies the registry's newest event of a type beyond the head. @param stream absent: the next event of its own */
const plant = (type: string, stream?: string) =>
  asOwner(copy, [
    `insert into event
     select partition, position + 1000000, gen_random_uuid(), coalesce($2, stream),
       (select coalesce(max(version), 0) + 1 from event o where o.partition = 0 and o.stream = coalesce($2, e.stream)),
       type, schema_version, time, data, metadata, leaf
     from event e where partition = 0 and type = $1 order by position desc limit 1`,
    [type, stream],
  ]);
const removeBeyond = () =>
  asOwner(copy, [
    'delete from event where partition = 0 and position > (select position from log_head where partition = 0)',
  ]);

describe('a disabled key is refused by a process that knows it', () => {
  it('after an event stood beyond the head of the registry, and was removed', async () => {
    await plant('AccessKeyIssued', 'transfer-forged');
    await readOn();
    await removeBeyond();
    await disable();
    expect(await use()).toBe(401);
  }, 30_000);

  it('where a planted event enables it: none of its events count while one is beyond the head', async () => {
    await disable();
    await enable();
    await disable();
    await plant('AccessKeyEnabled');
    await readOn();
    expect(await use()).toBe(503);
    await removeBeyond();
    expect(await use()).toBe(401);
  }, 30_000);

  it('while the head is set back to before it was disabled, and afterwards', async () => {
    const before = await headOfRegistry();
    await disable();
    const after = await headOfRegistry();
    const setHead = ({ position }: typeof before) =>
      copy.query('update log_head set position = $1 where partition = 0', [position]);
    await setHead(before);
    await service.stop();
    service = await startService(copy.url, { ...copy.env, CHECKPOINT_INTERVAL_SECONDS: '86400' });
    thief = thief.on(service.url);
    expect(await use()).toBe(503);
    await setHead(after);
    expect(await use()).toBe(401);
  }, 30_000);

  it('after the database was put back to before the newest events', async () => {
    const before = await headOfRegistry();
    await readOn();
    await copy.query('update log_head set position = $1, root = $2, peaks = $3, time = $4 where partition = 0', [
      before.position,
      before.root,
      before.peaks,
      before.time,
    ]);
    await removeBeyond();
    await disable();
    expect(await use()).toBe(401);
  }, 30_000);
});
