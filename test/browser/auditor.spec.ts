import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { addressOf, picture, type Visit, visit } from '../support/browser.js';
import { type ConsoleWorld, consoleWorld } from '../support/console-world.js';

let world: ConsoleWorld;
let auditor: Visit;
let transactionId: string;
let caseId: string;

beforeAll(async () => {
  world = await consoleWorld();
  const { token } = await world.operator.post('/auditors', { name: 'Auditoria externa 2026' });
  for (let i = 0; i < 3; i++) await world.api.transfer(world.partner.accounts[1]!, '10.00');
  const order = { amount: '5.00', cause: 'Judicial', reference: 'R-1' };
  await world.operator.post(`/accounts/${world.partner.accounts[1]}/holds`, order);
  transactionId = await world.deposit('37.90', 'pedido-1', 'Cesta de pães');
  await call(world.service.url, 'POST', `/sandbox/pix/transactions/${transactionId}/complete`);
  const { endToEndId } = await world.operator.get(`/transactions/${transactionId}`);
  await call(world.service.url, 'POST', '/sandbox/pix/infractions', { body: { endToEndId, reason: 'Scam' } });
  caseId = (await world.operator.get('/med')).items[0].id;
  auditor = await visit(world.browser, world.service.url);
  await auditor.signIn(token);
}, 60_000);
afterAll(async () => {
  await world?.stop();
});

const CHANGES =
  /^(New|Fund|Deactivate|Activate|Rotate|Change|Redeliver|Disable|Enable|Revoke|Issue|Open|Place|Release|Execute|Decide)/;

const PAGES = [
  '/',
  '/partners',
  '/partners/:partner',
  '/partners/:partner?tab=limits',
  '/partners/:partner?tab=files',
  '/accounts/:account',
  '/accounts/:account?tab=keys',
  '/accounts/:held?tab=holds',
  '/accounts/:held?tab=limits',
  '/transactions',
  '/transactions/:transaction',
  '/ledger',
  '/med',
  '/med/:case',
  '/auditors',
  '/sandbox',
];

describe('an auditor at the console', () => {
  it.each(PAGES)('sees no button that changes anything at %s', async (address) => {
    const { page } = auditor;
    const [account, held] = world.partner.accounts;
    const things = { partner: world.partner.uid, account, held, transaction: transactionId, case: caseId };
    await auditor.go(addressOf(address, things));
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: CHANGES }).count()).toBe(0);
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
  });

  it('has no way to change anything, and the service refuses it anyway', async () => {
    const { page } = auditor;
    const [account, held] = world.partner.accounts;
    await auditor.go(`/accounts/${held}?tab=holds`);
    await page.getByRole('row', { name: /Judicial.*R-1.*R\$\s5,00.*open/ }).waitFor();
    for (const link of ['Auditors', 'Reconciliation', 'Sandbox']) {
      expect(await page.getByRole('link', { name: link, exact: true }).count()).toBe(0);
    }
    await auditor.go('/med');
    await page.getByRole('row', { name: /In analysis.*R\$\s37,90.*R\$\s37,90.*R\$\s0,00/ }).waitFor();
    const refused = await page.evaluate(`fetch('/admin/accounts/${account}/credits', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-console': '1' },
      body: JSON.stringify({ amount: '1.00', reason: 'x' }),
    }).then(({ status }) => status)`);
    expect(refused).toBe(403);
  });

  it('reads a story whose postings sum to zero, and proves it in the browser', async () => {
    const { page } = auditor;
    const id = await world.deposit('1.00', 'pedido-2');
    await world.sealed();
    await auditor.go(`/transactions/${id}`);
    await page.getByRole('button', { name: 'Check in this browser' }).click();
    await page.locator('[data-proof="holds"]').waitFor();
    // The verdict is not one about events that were not checked.
    await call(world.service.url, 'POST', `/sandbox/pix/transactions/${id}/complete`);
    await page.getByRole('heading', { name: 'CashInCompleted' }).waitFor();
    expect(await page.locator('[data-proof]').count()).toBe(0);
    await auditor.go(`/transactions/${transactionId}`);
    const story = page.getByRole('region', { name: 'Event history' });
    await story.getByRole('heading', { name: 'CashInRegistered' }).waitFor();
    await story.getByText('sums to zero').first().waitFor();
    expect(await story.locator('[data-sum]').first().getAttribute('data-sum')).toBe('0');
    await page.getByRole('button', { name: 'Check in this browser' }).click();
    await page.locator('[data-proof="holds"]').waitFor();
    // Nor is it one by a key that it was not checked with.
    await page.getByText('Trusted key', { exact: true }).click();
    const key = page.getByLabel('Verifier key (vkey)');
    const trusted = await key.inputValue();
    await key.fill(`${trusted}x`);
    await page.locator('[data-proof]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check in this browser' }).click();
    await page
      .locator('[data-proof="fails"]')
      .getByText('The checkpoint is not signed by the trusted key.')
      .first()
      .waitFor();
    await key.fill('');
    expect(await page.getByRole('button', { name: 'Check in this browser' }).isDisabled()).toBe(true);
    await key.fill(trusted);
    await page.getByRole('button', { name: 'Check in this browser' }).click();
    await page.locator('[data-proof="holds"]').waitFor();
    await page.getByText('Merkle path').first().click();
    const path = page.getByRole('img', { name: /^Merkle path from the leaf to the root, \d+ steps$/ }).first();
    const steps = Number(/\d+/.exec((await path.getAttribute('aria-label'))!)![0]);
    expect(steps).toBeGreaterThan(0);
    expect(await path.locator('[data-side]').count()).toBe(steps);
    expect(await path.locator('circle').count()).toBe(2 * steps + 1);
    await picture(page, 'transaction', true);
  });

  it('is warned when the shown event is not the sealed one', async () => {
    const { page } = auditor;
    await page.route('**/audit/transactions/*/events*', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.replaceAll('3790', '9790') });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Check in this browser' }).click();
    await page
      .locator('[data-proof="fails"]')
      .getByText('Its leaf does not lead to the signed root.')
      .first()
      .waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('sees the balance as of a moment, in the past and by address', async () => {
    const { page } = auditor;
    await auditor.go(`/accounts/${world.partner.accounts[0]}?at=2020-01-01T03:00:00.000Z`);
    const asOf = page.getByRole('region', { name: 'As of a date' });
    await asOf.getByText('At 01/01/2020 00:00:00').waitFor();
    await asOf.getByText('none yet').waitFor();
    await asOf.getByLabel("Date and time, Brasília's").fill('2999-12-31T12:00:00');
    await asOf.getByRole('button', { name: 'Show' }).click();
    await asOf.getByText('R$\u00a04.971,00').waitFor();
    await picture(page, 'account', true);
  });

  it('has the whole ledger verified, and watches', async () => {
    const { page } = auditor;
    await auditor.go('/ledger');
    await page.getByRole('button', { name: 'Verify the ledger' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.locator('[data-verification="Finished"][data-ok="true"]').waitFor({ timeout: 25_000 });
    await page.getByText('nothing diverges').waitFor();
    await page.getByRole('region', { name: /Examined in/ }).waitFor();
    await picture(page, 'verification');
  });

  it('exports a partition whose last line says that it is whole', async () => {
    const { page } = auditor;
    await auditor.go('/ledger');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'NDJSON' }).first().click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split('\n');
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ kind: 'end' });
    await picture(page, 'ledger');
  });

  it('of one partner begins with that partner, and sees no other', async () => {
    const other = await world.operator.partner(['1.00'], { name: 'Outra Loja Ltda' });
    const { token } = await world.operator.post('/auditors', { name: 'Um parceiro', partnerUid: world.partner.uid });
    const limited = await visit(world.browser, world.service.url);
    await limited.signIn(token);
    const { page } = limited;
    await page.getByRole('heading', { level: 1, name: 'Padaria Aurora Ltda' }).waitFor();
    await limited.go('/partners');
    await page.getByRole('row', { name: /Padaria Aurora/ }).waitFor();
    expect(await page.getByText('Outra Loja').count()).toBe(0);
    await limited.go(`/partners/${other.uid}`);
    await page.getByRole('alert').getByText('EntityNotFound').waitFor();
    expect(limited.faults).toEqual([]);
    await limited.close();
  });

  it('met no fault on the way, and is out at once when the credential is revoked', async () => {
    expect(auditor.faults).toEqual([]);
    const { items } = await world.operator.get('/auditors');
    const whole = items.find(({ partnerUid }: { partnerUid: string | null }) => partnerUid === null);
    await world.operator.post(`/auditors/${whole.id}/revoke`);
    await auditor.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });
});
