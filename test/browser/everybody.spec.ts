import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Request } from 'playwright-core';
import { call } from '../support/api.js';
import { addressOf, picture, type Visit, visit } from '../support/browser.js';
import { type ConsoleWorld, consoleWorld } from '../support/console-world.js';
import { eventually } from '../support/eventually.js';
import { cashOutBody, withMember } from '../support/pix-bodies.js';
import { ADMIN_TOKEN } from '../support/service.js';

/** What would run, if any page put it into itself as anything but text. */
const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"'\`{{7*7}}`;

let world: ConsoleWorld;
let visitor: Visit;
let transactionId: string;

const PAGES = [
  '/',
  '/partners',
  '/partners/:partner',
  '/partners/:partner?tab=limits',
  '/accounts/:account',
  '/accounts/:account?tab=keys',
  '/accounts/:account?tab=details',
  '/accounts/:account?tab=deliveries',
  '/transactions',
  '/transactions/:transaction',
  '/ledger',
  '/ledger/partitions/0',
  '/ledger/partitions/1',
  '/med',
  '/reconciliation',
  '/auditors',
  '/sandbox?account=:account',
  '/nowhere',
];

beforeAll(async () => {
  world = await consoleWorld(HOSTILE);
  transactionId = await world.deposit('12.34', HOSTILE.slice(0, 64), HOSTILE, HOSTILE);
  await world.api.post('/accounts/transfer', {
    refAccountCredit: world.partner.accounts[1],
    transferAmount: '2.00',
    transferDescription: HOSTILE,
  });
  await world.operator.post(`/accounts/${world.partner.accounts[0]}/access-keys`, { name: HOSTILE });
  await world.operator.post('/auditors', { name: HOSTILE });
  await call(world.service.url, 'POST', `/sandbox/pix/transactions/${transactionId}/complete`);
  visitor = await visit(world.browser, world.service.url);
  await visitor.signIn(ADMIN_TOKEN);
}, 60_000);
afterAll(async () => {
  await world?.stop();
});

/** A page with what it shows: lists and facts, and then charts, whose code comes last. */
async function open(one: Visit, address: string): Promise<void> {
  const { uid: partner, accounts } = world.partner;
  await one.go(addressOf(address, { partner, account: accounts[0], transaction: transactionId }));
  await one.page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await one.page.locator('.chart:not(:has(canvas))').first().waitFor({ state: 'detached' });
}

/** Waits until a page is so: it measures what it has drawn, and is then drawn anew. */
async function settled(measured: () => Promise<unknown>, expected: unknown): Promise<void> {
  await eventually(async () => {
    expect(await measured()).toEqual(expected);
    return true;
  });
}

describe('every page', () => {
  it.each(PAGES)('takes what is hostile for text, and is sound to axe, in light and in dark: %s', async (address) => {
    const { page } = visitor;
    await open(visitor, address);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('img[src="x"], main script').count()).toBe(0);
    expect(visitor.faults).toEqual([]);
    // Evaluated by the debugger: the page's own policy lets nobody add a script.
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const serious = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(' | ')))`;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(() => page.evaluate(serious), []);
    }
    if (address === '/') await picture(page, 'overview-dark');
  });

  it.each(['/partners', '/accounts/:account', '/transactions/:transaction', '/auditors'])(
    'shows what is hostile as text: %s',
    async (address) => {
      await open(visitor, address);
      await visitor.page.getByText('<script>window.hacked=1</script>').first().waitFor();
      expect(visitor.faults).toEqual([]);
    },
  );

  it('answers an address and an answer that make no sense with a message and a way back', async () => {
    const { page } = visitor;
    await open(visitor, '/accounts/:account?at=foo');
    await page.getByRole('region', { name: 'As of a date' }).getByRole('alert').getByText('at: ').waitFor();
    await page.route('**/audit/partners?*', (route) => route.fulfill({ json: { data: { items: [{}] } } }));
    await page.getByRole('link', { name: 'Partners', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'This page failed' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('that was open during an upgrade loads the new version, when it is asked for a page that the old one had', async () => {
    const { page } = visitor;
    await open(visitor, '/');
    await page.route('**/ledger-page-*.js', (route) => route.fulfill({ status: 404, body: 'There is no such file.' }));
    await page.getByRole('link', { name: 'Ledger', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'This page failed' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  describe('on a phone', () => {
    let phone: Visit;

    beforeAll(async () => {
      phone = await visit(world.browser, world.service.url, {
        viewport: { width: 375, height: 780 },
        storageState: await visitor.context.storageState(),
        hasTouch: true,
      });
    });
    afterAll(() => phone?.close());

    it.each(PAGES)('fits its width: %s', async (address) => {
      await open(phone, address);
      await settled(() => phone.page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    });

    it('breaks the longest name wherever it stands', async () => {
      const { uid, accounts } = await world.operator.partner(['0.00'], { name: 'W'.repeat(140) });
      for (const address of ['/partners', `/partners/${uid}`, `/accounts/${accounts[0]}`]) {
        await phone.go(address);
        await phone.page.getByText('W'.repeat(140)).first().waitFor();
        await settled(() => phone.page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
      }
    });

    it('shows the largest amounts whole: one without its last digits would be another', async () => {
      const { page } = phone;
      const most = '90000000000000000.00';
      await page.route('**/audit/accounts/*', async (route) => {
        const response = await route.fetch();
        const { statusCode, data } = await response.json();
        const balance = { available: most, held: most, blocked: most };
        await route.fulfill({ response, json: { statusCode, data: { ...data, balance } } });
      });
      await open(phone, '/accounts/:account');
      await page.locator('.tile', { hasText: 'R$\u00a090.000.000.000.000.000,00' }).nth(2).waitFor();
      for (const width of [320, 360, 768, 900, 1100, 1280, 1920, 375]) {
        await page.setViewportSize({ width, height: 780 });
        const isCut = `[...document.querySelectorAll('.tile')].some((tile) => tile.scrollWidth > tile.clientWidth)`;
        await settled(() => page.evaluate(isCut), false);
        await settled(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
      }
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('has the way to all others behind a button', async () => {
      const { page } = phone;
      await open(phone, '/accounts/:account');
      await picture(page, 'account-phone');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Ledger' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor();
    });
  });

  it('can be used by keyboard alone', async () => {
    const { page } = visitor;
    // A key goes to what has the focus when it is pressed.
    const focus = (selector: string) => page.locator(`${selector}:focus`).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await open(visitor, '/partners');
    await page.keyboard.press('Tab');
    await focus('a:text-is("Skip to the content")');
    await page.keyboard.press('Enter');
    await focus('main');
    await page.keyboard.press('Tab');
    await focus('button:text-is("New partner")');
    await page.keyboard.press('Enter');
    await focus('.dialog [name="name"]');
    await page.keyboard.type('Chaveiro Teclado ME');
    await page.keyboard.press('Tab');
    await focus('.dialog [name="taxNumber"]');
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await page.locator('.dialog').getByText('must be a CPF or CNPJ with valid check digits').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.dialog').waitFor({ state: 'detached' });
    await focus('button:text-is("New partner")');
  });

  it('speaks Portuguese where the browser does', async () => {
    const brazilian = await visit(world.browser, world.service.url, { locale: 'pt-BR' });
    const { page } = brazilian;
    await brazilian.go('/');
    await page.getByRole('heading', { level: 1, name: 'Entrar' }).waitFor();
    await page.getByLabel('Credencial').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Visão geral' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
    await page.locator('canvas').first().waitFor();
    await picture(page, 'overview-portuguese');
    const payout = withMember(cashOutBody.account('1.00'), 'payment.recipient.name', 'Completed');
    const { body } = await world.api.post('/accounts/pix/cashout', payout);
    await brazilian.go(`/transactions/${body.data.transaction.id}`);
    await page.getByText('Conta corrente').waitFor();
    expect(await page.locator('dt:text-is("Recebedor") + dd').innerText()).toBe('Completed');
    await brazilian.close();
  });
});

describe('the weight of the console', () => {
  it('is under 300 kB of compressed JavaScript for the first page on an empty cache', async () => {
    const fresh = await visit(world.browser, world.service.url, {
      storageState: await visitor.context.storageState(),
    });
    const scripts: Request[] = [];
    fresh.page.on('request', (request) => request.url().endsWith('.js') && scripts.push(request));
    await fresh.go('/');
    await fresh.page.locator('canvas').first().waitFor();
    const sizes = await Promise.all(scripts.map((request) => request.sizes()));
    const total = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(300_000);
    await fresh.close();
  });

  it('stays the same with 100,000 rows behind a list', async () => {
    const { page } = visitor;
    const [template] = (await world.operator.get('/transactions?limit=1')).items;
    // The service's pages have a hundred rows at most; larger ones make the same list in fewer requests.
    await page.route('**/audit/transactions?*', async (route) => {
      const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const items = Array.from({ length: 20_000 }, (_, i) => ({
        ...template,
        id: `0199d1f0-7c3b-7001-8b1c-${String(cursor * 20_000 + i).padStart(12, '0')}`,
      }));
      const nextCursor = cursor < 4 ? String(cursor + 1) : null;
      await route.fulfill({ json: { statusCode: 'Done', data: { items, nextCursor } } });
    });
    await open(visitor, '/transactions?type=CashIn');
    const toTheEnd = () => page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    for (const shown of ['20.000 shown so far', '40.000 shown so far', '60.000 shown so far', '80.000 shown so far']) {
      // Its end reads the next page by itself, and only that one.
      await page.getByText(shown).waitFor();
      await toTheEnd();
    }
    await page.getByText('100.000 in all').waitFor();
    await toTheEnd();
    await page.getByRole('link', { name: /…000000099999|…b1c-000000099999/ }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(200);
    await page.unrouteAll({ behavior: 'wait' });
  });
});
