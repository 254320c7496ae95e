import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Request, Route } from 'playwright-core';
import { call, nextCnpj, PartnerApi } from '../support/api.js';
import { picture, type Visit, visit } from '../support/browser.js';
import { type ConsoleWorld, consoleWorld } from '../support/console-world.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { payoutCsv, payoutRow, PayoutFiles } from '../support/payout-files.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { dayBefore, unknownPayout, timerRuns } from '../support/timers.js';

let world: ConsoleWorld;
let operator: Visit;

beforeAll(async () => {
  world = await consoleWorld();
  operator = await visit(world.browser, world.service.url);
}, 60_000);
afterAll(async () => {
  await world?.stop();
});

/** Lets one request reach the service and holds its answer. @returns lose it */
async function heldAnswer(page: Page, path: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<Route>();
  await page.route(path, (route) => route.fetch().then(() => held.resolve(route)), { times: 1 });
  return async () => (await held.promise).abort();
}

describe('an operator at the console', () => {
  it('signs in with a token that the page cannot read again', async () => {
    const { page } = operator;
    await operator.go('/partners');
    await page.getByLabel('Credential').fill('not the token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('AuthenticationError').waitFor();
    await page.getByLabel('Credential').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Partners' }).waitFor();

    const [cookie] = await operator.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('[document.cookie, JSON.stringify(localStorage)].join()')).not.toContain(ADMIN_TOKEN);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('registers a partner, opens and funds an account and issues a key, whose secret is shown once', async () => {
    const { page } = operator;
    await operator.go('/partners');
    await page.getByRole('button', { name: 'New partner' }).click();
    const dialog = page.locator('.dialog');
    await dialog.getByLabel('Name').fill('Livraria Ipê Ltda');
    await dialog.getByLabel('CPF or CNPJ').fill('11.111.111/1111-11');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('must be a CPF or CNPJ with valid check digits').first().waitFor();
    const cnpj = nextCnpj();
    await dialog.getByLabel('CPF or CNPJ').fill(cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'));
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('whsec_').waitFor();
    await dialog.getByRole('link', { name: 'Open the partner' }).click();
    await page.getByRole('heading', { level: 1, name: 'Livraria Ipê Ltda' }).waitFor();

    await page.getByRole('button', { name: 'New account' }).click();
    await page.locator('.dialog').getByRole('button', { name: 'Open' }).click();
    await page.locator('.dialog').waitFor({ state: 'detached' });
    await page.getByRole('table').getByRole('link', { name: 'Livraria Ipê Ltda' }).click();
    await page.waitForURL('**/console/accounts/*');
    await page.getByRole('heading', { level: 1, name: 'Livraria Ipê Ltda' }).waitFor();
    await page.getByRole('button', { name: 'Fund' }).click();
    await page.locator('.dialog').getByLabel('Amount in reais').fill('1.234,50');
    await page.locator('.dialog').getByLabel('Reason').fill('Aporte inicial');
    await page.locator('.dialog').getByRole('button', { name: 'Fund' }).click();
    await page.locator('.tile-value', { hasText: 'R$\u00a01.234,50' }).waitFor();

    await page.getByRole('tab', { name: 'Access keys' }).click();
    await page.getByRole('button', { name: 'New access key' }).click();
    await page.locator('.dialog').getByLabel('Name').fill('Caixa');
    await page.locator('.dialog').getByRole('button', { name: 'Issue' }).click();
    const shown = page.locator('[data-secret="Secret"]');
    await shown.waitFor();
    const [accessKey, secret] = [await page.locator('[data-secret="Access key"]').innerText(), await shown.innerText()];
    await page.getByRole('button', { name: 'Copy Secret' }).click();
    await eventually(async () => (await page.evaluate('navigator.clipboard.readText()')) === secret);
    await picture(page, 'secret');
    // A stray click beside the dialog does not close it.
    await page.mouse.click(4, 4);
    await page.locator('.dialog').getByRole('button', { name: 'Close' }).click();
    await page.locator('.dialog').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Caixa/ }).getByText('Active').waitFor();
    expect(await page.content()).not.toContain(secret);
    await PartnerApi.login(world.service.url, { accessKey, secret });
  });

  it('sends a form once by a double click: of two keys, one would be shown to nobody', async () => {
    const { page } = operator;
    await operator.go(`/accounts/${world.partner.accounts[1]}`);
    await page.getByRole('tab', { name: 'Access keys' }).click();
    await page.getByRole('button', { name: 'New access key' }).click();
    await page.locator('.dialog').getByLabel('Name').fill('Dupla');
    // Both clicks come before the page has drawn anything, as where it is at work.
    await page.evaluate('for (const _ of [1, 2]) document.querySelector(".dialog [type=submit]").click()');
    await page.locator('[data-secret="Secret"]').waitFor();
    await page.locator('.dialog').getByRole('button', { name: 'Close' }).click();
    const { items } = await world.operator.get(`/accounts/${world.partner.accounts[1]}/access-keys`);
    expect(items.filter(({ name }: { name: string }) => name === 'Dupla')).toHaveLength(1);
  });

  it('sees a transfer that a partner makes, without asking again', async () => {
    const { page } = operator;
    await operator.go(`/accounts/${world.partner.accounts[1]}`);
    await page.locator('.tile-value', { hasText: 'R$\u00a01.250,50' }).waitFor();
    expect((await world.api.transfer(world.partner.accounts[1]!, '49.50')).status).toBe(201);
    await page.locator('.tile-value', { hasText: 'R$\u00a01.300,00' }).waitFor();
    await page.getByRole('row', { name: /Transfer.*\+R\$\s49,50.*R\$\s1\.300,00/ }).waitFor();
  });

  it('acts once, though an answer is lost and the page has asked again since', async () => {
    const { accounts } = await world.operator.partner(['10.00', '20.00']);
    const hasty = await visit(world.browser, world.service.url, {
      storageState: await operator.context.storageState(),
    });
    const { page } = hasty;
    await page.clock.install();
    await hasty.go(`/accounts/${accounts[0]}`);
    const available = page.locator('.tile', { hasText: 'Available' }).locator('.tile-value');
    await available.getByText('R$\u00a010,00').waitFor();
    await page.getByRole('button', { name: 'Fund' }).click();
    const dialog = page.locator('.dialog');
    await dialog.getByLabel('Amount in reais').fill('5,00');
    await dialog.getByLabel('Reason').fill('Aporte');
    const lose = await heldAnswer(page, '**/credits');
    await dialog.getByRole('button', { name: 'Fund' }).click();
    await dialog.getByRole('button', { name: 'Sending …' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    // Closed and opened anew, the form would send a second command with a key of its own.
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    await lose();
    await dialog.getByRole('alert').getByText('NetworkError').waitFor();
    await dialog
      .getByText('It may have been done all the same. Sent again here, unchanged, it is done once.')
      .waitFor();
    await page.clock.fastForward(4_000);
    await available.getByText('R$\u00a015,00').waitFor();
    await dialog.getByLabel('Amount in reais').fill('6,00');
    await dialog.getByRole('button', { name: 'Fund' }).click();
    await dialog.getByText('This form was sent before with other values, and that was done.').waitFor();
    await dialog.getByLabel('Amount in reais').fill('5,00');
    await dialog.getByRole('button', { name: 'Fund' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await world.operator.get(`/accounts/${accounts[0]}`)).balance.available).toBe('15.00');

    // A form does not become its opposite when the account changes; without it, a message tells what became of it.
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByLabel('Reason').fill('Ordem judicial');
    const loseAgain = await heldAnswer(page, '**/deactivate');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.clock.fastForward(4_000);
    await page.locator('.tile', { hasText: 'Inactive' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await Promise.all([page.getByText('Not confirmed: Deactivate the account').waitFor(), loseAgain()]);
    // Who looked away for a minute must not miss it: it stays until it is closed.
    await page.clock.fastForward(60_000);
    await page.locator('.toast', { hasText: 'Not confirmed' }).locator('button').click();
    await page.getByText('Not confirmed').waitFor({ state: 'detached' });

    // The form for one account is not there for another, though the page has both at hand.
    await page.evaluate(`history.pushState(null, '', '/console/accounts/${accounts[1]}')`);
    await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
    await available.getByText('R$\u00a020,00').waitFor();
    await page.getByRole('button', { name: 'Fund' }).click();
    await dialog.waitFor();
    await page.goBack();
    await available.getByText('R$\u00a015,00').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(hasty.faults).toEqual([]);
    await hasty.close();
  });

  it('is told that an act may have been done until that is known, whatever another try is answered', async () => {
    const { accounts } = await world.operator.partner(['10.00']);
    const { page } = operator;
    await operator.go(`/accounts/${accounts[0]}`);
    await page.getByRole('button', { name: 'Fund' }).click();
    const dialog = page.locator('.dialog');
    await dialog.getByLabel('Amount in reais').fill('5,00');
    await dialog.getByLabel('Reason').fill('Aporte');
    const send = () => dialog.getByRole('button', { name: 'Fund' }).click();
    const doubt = dialog.getByText('It may have been done all the same.');
    const lose = await heldAnswer(page, '**/credits');
    await Promise.all([send(), lose()]);
    await doubt.waitFor();

    // Nothing was done by this try: that says nothing of the one before.
    const error = { name: 'ServiceUnavailable', code: 'ServiceUnavailable', message: 'Nothing was done.' };
    const refusal = { status: 503, headers: { 'retry-after': '1' }, json: { statusCode: 'Error', error } };
    await page.route('**/credits', (route) => route.fulfill(refusal), { times: 1 });
    await send();
    await dialog.getByText('Nothing was done.').waitFor();
    await doubt.waitFor();
    await dialog.getByLabel('Amount in reais').fill('5,001');
    await send();
    await dialog.locator('.field-error').first().waitFor();
    await doubt.waitFor();

    await dialog.getByLabel('Amount in reais').fill('5,00');
    await send();
    await dialog.waitFor({ state: 'detached' });
    expect((await world.operator.get(`/accounts/${accounts[0]}`)).balance.available).toBe('15.00');
  });

  it('reads a list anew where that failed, though it has no further page', async () => {
    const { page } = operator;
    await operator.go(`/accounts/${world.partner.accounts[1]}?tab=keys`);
    const row = page.getByRole('row', { name: /Dupla/ });
    await row.getByRole('button', { name: 'Disable' }).click();
    await page.locator('.dialog').getByText('Dupla').waitFor();
    await page.route('**/access-keys?*', (route) => route.fulfill({ status: 502, body: '<html>' }));
    await page.locator('.dialog').getByRole('button', { name: 'Disable' }).click();
    await page.locator('.dialog').waitFor({ state: 'detached' });
    const failure = page.getByRole('tabpanel').getByRole('alert');
    await failure.getByText('The service does not answer. Check the connection and try again.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await row.getByText('Disabled').waitFor();
    await failure.waitFor({ state: 'detached' });
  });

  it('is told that an act is not confirmed, when its session has ended meanwhile', async () => {
    const late = await visit(world.browser, world.service.url, {
      storageState: await operator.context.storageState(),
    });
    const { page } = late;
    await late.go(`/accounts/${world.partner.accounts[1]}`);
    await page.getByRole('button', { name: 'Fund' }).click();
    await page.locator('.dialog').getByLabel('Amount in reais').fill('5,00');
    await page.locator('.dialog').getByLabel('Reason').fill('Aporte');
    await late.context.clearCookies();
    await page.locator('.dialog').getByRole('button', { name: 'Fund' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.getByText('Not confirmed: Fund the account').waitFor();
    expect(late.faults).toEqual([]);
    await late.close();
  });

  it('blocks money of an account, lets parts of it go, and sees it counted on the overview', async () => {
    const { page } = operator;
    const uid = world.partner.accounts[1]!;
    await operator.go(`/accounts/${uid}?tab=holds`);
    await page.getByText('No hold on this account.').waitFor();
    await page.getByRole('button', { name: 'Place a hold' }).click();
    const dialog = page.locator('.dialog');
    await dialog.getByLabel('Amount in reais').fill('300,00');
    await dialog.getByLabel('Cause').selectOption('Judicial');
    await dialog.getByLabel('Reference').fill('0001234-56.2026.8.26.0100');
    await dialog.getByLabel('Note').fill('2ª vara cível');
    await dialog.getByRole('button', { name: 'Place', exact: true }).click();
    const row = page.getByRole('row', { name: /0001234-56/ });
    await row.getByText('open', { exact: true }).waitFor();
    await page.locator('.tile', { hasText: 'Blocked by holds' }).getByText('R$\u00a0300,00').waitFor();
    // What somebody else does with it shows without asking.
    const held = (await world.operator.get(`/accounts/${uid}/holds`)).items[0].id;
    await world.operator.post(`/accounts/${uid}/holds/${held}/release`, { amount: '0.01' });
    await row.getByText('R$\u00a0299,99').waitFor();

    await row.getByRole('button', { name: 'Release' }).click();
    await dialog.getByText('0001234-56').waitFor();
    await dialog.getByLabel('Amount in reais').fill('300,01');
    await dialog.getByRole('button', { name: 'Release' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/HoldExceeded/)
      .waitFor();
    await dialog.getByLabel('Amount in reais').fill('99,99');
    await dialog.getByRole('button', { name: 'Release' }).click();
    await dialog.waitFor({ state: 'detached' });
    await picture(page, 'holds', true);
    await operator.go('/');
    const tile = page.locator('.tile', { hasText: 'Open holds' });
    await tile.getByText('R$\u00a0200,00 blocked').waitFor();
    expect(await tile.locator('.tile-value').innerText()).toBe('1');

    await operator.go(`/accounts/${uid}?tab=holds`);
    await row.getByRole('button', { name: 'Execute' }).click();
    await dialog.getByLabel('Amount in reais').fill('200,00');
    await dialog.getByLabel('Payment').selectOption('JudicialTransfer');
    await dialog.getByLabel('Reference').fill('ID 072026000012345678');
    await dialog.getByRole('button', { name: 'Execute' }).click();
    await row.getByText('closed', { exact: true }).waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await world.operator.post(`/accounts/${uid}/credits`, { amount: '200.00', reason: 'Teste' });
  });

  it('limits the payouts of an account: what is lowered is lowered at once, what is raised waits', async () => {
    const { page } = operator;
    await operator.go(`/accounts/${world.partner.accounts[1]}?tab=limits`);
    const dialog = page.locator('.dialog');
    const send = async (fields: Record<string, string>) => {
      await page.getByRole('button', { name: 'Change' }).click();
      for (const [name, typed] of Object.entries(fields)) await dialog.getByLabel(name).fill(typed);
      await dialog.getByRole('button', { name: 'Save' }).click();
    };
    const change = async (fields: Record<string, string>) => {
      await send(fields);
      await dialog.waitFor({ state: 'detached' });
    };
    await send({ 'By day': 'much' });
    await dialog.locator('.field-error').first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await change({ 'By day': '1.000,00', 'Payouts in an hour': '100' });
    const day = page.getByRole('row', { name: /By day/ });
    // The moment in this row has digits too.
    const hourly = (limit: string) =>
      page.getByRole('row', { name: /Payouts in an hour/ }).getByRole('cell', { name: limit, exact: true });
    await day.getByText('R$\u00a01.000,00').first().waitFor();
    await change({ 'By day': '2.000,00' });
    await day.getByText(/R\$\s2\.000,00 ·/).waitFor();
    // The raise that waits is not taken back by another change.
    await change({ 'Payouts in an hour': '50' });
    await hourly('50').first().waitFor();
    await day.getByText(/R\$\s2\.000,00 ·/).waitFor();
    await picture(page, 'limits', true);

    // What another operator lowers while a form is open stays lowered: the form sends only what was changed in it.
    const account = `/accounts/${world.partner.accounts[1]}/limits`;
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.waitFor();
    await world.operator.patch(account, { day: '900.00' });
    await page.locator('tr', { hasText: 'By day' }).getByText('R$\u00a0900,00').first().waitFor();
    await dialog.getByLabel('Payouts in an hour').fill('40');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await hourly('40').first().waitFor();
    expect((await world.operator.get(account)).day).toMatchObject({ limit: '900.00', next: null });

    const partner = `/partners/${world.partner.uid}`;
    await operator.go(`${partner}?tab=limits`);
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.waitFor();
    await world.operator.patch(`${partner}/settings`, { cashOutMaximum: '900.00', uniqueOrderIds: true });
    await dialog.getByLabel('Deposit maximum').fill('5.000,00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('R$\u00a05.000,00').waitFor();
    const { settings } = await world.operator.get(partner);
    expect(settings).toMatchObject({ cashInMaximum: '5000.00', cashOutMaximum: '900.00', uniqueOrderIds: true });
    await world.operator.patch(`${partner}/settings`, {
      cashInMaximum: null,
      cashOutMaximum: null,
      uniqueOrderIds: false,
    });
  });

  it('acts in the sandbox for the account that is chosen, by one key', async () => {
    const { page } = operator;
    const { uid, accounts } = await world.operator.partner(['1.00', '2.00']);
    await operator.go(`/sandbox?partner=${uid}&account=${accounts[0]}`);
    const held = Promise.withResolvers<Route>();
    await page.route('**/partners-int/login', (route) => held.resolve(route), { times: 1 });
    const act = page.getByRole('button', { name: 'Act for this account' });
    await act.evaluate((button: any) => [1, 2].forEach(() => button.click()));
    const route = await held.promise;
    // Another account chosen now would be shown as the one that acts.
    expect(await page.getByRole('combobox', { name: 'Account' }).isDisabled()).toBe(true);
    await route.continue();
    await page.getByText('Acting for the account.').waitFor();
    const { items } = await world.operator.get(`/accounts/${accounts[0]}/access-keys`);
    expect(items.filter(({ name }: { name: string }) => name === 'Console sandbox')).toHaveLength(1);
  });

  it('lets an account be acted for again in the sandbox, once the key has ended', async () => {
    const later = await visit(world.browser, world.service.url, {
      storageState: await operator.context.storageState(),
    });
    await later.page.clock.install();
    await later.go(`/sandbox?partner=${world.partner.uid}&account=${world.partner.accounts[0]}`);
    const act = later.page.getByRole('button', { name: 'Act for this account' });
    await act.click();
    await later.page.getByText('Acting for the account.').waitFor();
    expect(await act.isDisabled()).toBe(true);
    await later.page.clock.fastForward('01:00:00');
    await later.page.getByText('Acting for the account.').waitFor({ state: 'detached' });
    expect(await act.isEnabled()).toBe(true);
    await later.close();
  });

  it('plays a deposit from both ends in the sandbox, and watches its webhook arrive', async () => {
    const { page } = operator;
    await operator.go(`/sandbox?partner=${world.partner.uid}&account=${world.partner.accounts[0]}`);
    await page.getByRole('button', { name: 'Act for this account' }).click();
    const deposit = page.getByRole('region', { name: '2. A deposit' });
    await deposit.getByLabel('Amount in reais').fill('42,00');
    await deposit.getByLabel('Webhook address').fill(world.webhook);
    await deposit.getByRole('button', { name: 'Create the deposit' }).click();
    const code = deposit.getByRole('img', { name: 'QR code of the deposit' });
    await deposit.locator('[data-watched="Registered"]').waitFor();
    // Before it is painted a canvas has a size too, which is not a square's.
    await eventually(() => code.evaluate(({ width, height }: any) => width > 100 && width === height));
    await picture(page, 'sandbox', true);
    await deposit.getByRole('button', { name: 'Pay', exact: true }).click();
    await deposit.locator('[data-watched="Completed"]').waitFor();
    await deposit.locator('[data-delivery="Delivered"]').getByText('HTTP 200').waitFor();
    expect(world.receiver.received.map(({ body }) => JSON.parse(body).transactionState)).toContain('Completed');
  });

  it('scripts a payout that stays open until it is forced', async () => {
    const { page } = operator;
    const payout = page.getByRole('region', { name: '3. A payout' });
    await payout.getByLabel('Script').selectOption('98');
    await payout.getByLabel('Webhook address').fill(world.webhook);
    await payout.getByRole('button', { name: 'Send the payout' }).click();
    await payout.locator('[data-watched="Registered"]').getByText('R$\u00a05,98').waitFor();
    await payout.getByRole('button', { name: 'Reverse it' }).click();
    await payout.locator('[data-watched="Reversed"]').waitFor();
  });

  it('forces a deposit once by a double click: of two payments, one would have to be given back', async () => {
    const { page } = operator;
    const deposit = page.getByRole('region', { name: '2. A deposit' });
    await deposit.getByLabel('Amount in reais').fill('8,00');
    await deposit.getByRole('button', { name: 'Create the deposit' }).click();
    await deposit.locator('[data-watched="Registered"]').waitFor();
    const forced: string[] = [];
    page.on('request', (request) => request.url().endsWith('/complete') && forced.push(request.url()));
    // Both clicks come before the page has drawn anything, as where it is at work.
    await deposit
      .getByRole('button', { name: 'Complete it' })
      .evaluate((button: any) => [1, 2].forEach(() => button.click()));
    await deposit.locator('[data-watched="Completed"]').waitFor();
    expect(forced).toHaveLength(1);
  });

  it('pays a deposit by its code, as another bank would read it', async () => {
    const { page } = operator;
    const deposit = page.getByRole('region', { name: '2. A deposit' });
    await deposit.getByLabel('Amount in reais').fill('7,00');
    await deposit.getByRole('button', { name: 'Create the deposit' }).click();
    await deposit.locator('[data-watched="Registered"]').waitFor();
    const code = page.getByRole('region', { name: '4. A code' });
    await code.getByLabel('Copy-and-paste code').fill((await deposit.locator('.secret code').textContent())!);
    await code.getByRole('button', { name: 'Read the code' }).click();
    await code.getByText('R$\u00a07,00').waitFor();
    await code.getByLabel('Webhook address').fill(world.webhook);
    await code.getByRole('button', { name: 'Pay the code' }).click();
    await code.locator('[data-watched="Completed"]').waitFor();
    await deposit.locator('[data-watched="Completed"]').waitFor();
    await code.getByRole('button', { name: 'Read the code' }).click();
    await code.getByText('The charge was paid, or was taken back.').waitFor();
  });

  it('types the day of a reconciliation, key by key, and goes back to where it came from', async () => {
    const { page } = operator;
    await operator.go('/med');
    await page.getByRole('link', { name: 'Reconciliation' }).click();
    const day = page.getByLabel('Day', { exact: true });
    await day.focus();
    for (const key of '11052025') {
      await page.keyboard.press(key);
      // The page follows each key, as it does between those of a person.
      await page.waitForTimeout(50);
    }
    await page.waitForURL('**/reconciliation?date=2025-11-05');
    await page.getByText('From 05/11/2025 00:00:00 to 06/11/2025 00:00:00').waitFor();
    await expect(day.inputValue()).resolves.toBe('2025-11-05');
    // Without a day in its address the page is about today again, and so is its field.
    await page.getByRole('link', { name: 'Reconciliation' }).click();
    await eventually(async () => (await day.inputValue()) !== '2025-11-05');
    await page.goBack();
    await eventually(async () => (await day.inputValue()) === '2025-11-05');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'MED cases' }).waitFor();
  });

  it('closes a reconciliation case with a note', async () => {
    const { page } = operator;
    // All days since this one are compared: the day may end before the timer runs.
    const reconciled = { day: dayBefore(2), mismatched: 0 };
    await unknownPayout(world.database, dayBefore(1), 12_345);
    await timerRuns(world.database, 'pix-reconcile', reconciled);
    await operator.go('/reconciliation');
    const row = page.getByRole('row', { name: /Payouts sent.*R\$\s123,45/ });
    await row.getByRole('button', { name: 'Close the case' }).click();
    await picture(page, 'case');
    await page.getByLabel('Cause of the difference').fill('A payment of the test.');
    await page.getByRole('dialog').getByRole('button', { name: 'Close the case' }).click();
    // While a dialog is open, what is behind it has no role.
    await page.locator('.dialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Cases' }).selectOption('Closed');
    await page.getByRole('row', { name: /R\$\s123,45.*A payment of the test\./ }).waitFor();
  });

  it('agrees to a report of fraud, and reads in its story how the money went back', async () => {
    const { page } = operator;
    const { url } = world.service;
    const id = await world.deposit('31.00', 'pedido-med');
    expect((await call(url, 'POST', `/sandbox/pix/transactions/${id}/complete`)).status).toBe(200);
    const { endToEndId } = await world.operator.get(`/transactions/${id}`);
    const report = { endToEndId, reason: 'Scam', details: 'The bread never came.' };
    expect((await call(url, 'POST', '/sandbox/pix/infractions', { body: report })).status).toBe(201);
    await operator.go('/');
    const open = page.locator('.tile', { hasText: 'Open MED cases' });
    await open.getByText('0 overdue').waitFor();
    await open.getByRole('link', { name: '1', exact: true }).click();
    await page
      .getByRole('row', { name: /In analysis.*Conta 1.*R\$\s31,00.*R\$\s31,00.*R\$\s0,00/ })
      .getByRole('link')
      .first()
      .click();
    await page.locator('.tile', { hasText: 'Blocked now' }).getByText('R$\u00a031,00').waitFor();
    await page.getByText('The bread never came.').waitFor();
    await page.getByText('No defence.').waitFor();
    const link = 'https://aurora.example/receipt';
    const { items } = (await world.api.get('/med')).body.data;
    const defended = await world.api.post(`/med/${items[0].id}/defence`, { text: 'It was fetched.', links: [link] });
    expect(defended.status).toBe(200);
    await page.getByText('It was fetched.').waitFor();
    await page.getByText(link).waitFor();
    expect(await page.locator(`a[href*="aurora.example"]`).count()).toBe(0);

    await page.getByRole('button', { name: 'Decide' }).click();
    const dialog = page.locator('.dialog');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await dialog.locator('.field-error').first().waitFor();
    await dialog.getByLabel('Decision').selectOption('Rejected');
    await dialog.getByLabel('Amount in reais').fill('31,01');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByText('must be absent beside Rejected').waitFor();
    await dialog.getByLabel('Decision').selectOption('Agreed');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByText(/ReturnExceedsReport/).waitFor();
    await dialog.getByLabel('Amount in reais').fill('30,00');
    await dialog.getByLabel('Note').fill('The receipt is not signed.');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await dialog.waitFor({ state: 'detached' });
    const story = page.getByRole('region', { name: 'Story' });
    await story.getByRole('listitem').filter({ hasText: 'Report agreed with' }).getByText('R$\u00a030,00').waitFor();
    const back = story.getByRole('listitem').filter({ hasText: 'Money returned (MED)' });
    await back.getByRole('link', { name: 'Refund' }).waitFor();
    await page.locator('.tile', { hasText: 'Given back' }).locator('.tile-value', { hasText: '30,00' }).waitFor();
    await page.getByText('The receipt is not signed.').waitFor();
    expect(await page.getByRole('button', { name: 'Decide' }).count()).toBe(0);
    await picture(page, 'med', true);
  });

  it('sees the names of a list of any length, and what a newer service says as it is sent', async () => {
    const { page } = operator;
    const [template] = (await world.operator.get('/med')).items;
    const items = Array.from({ length: 150 }, (_, place) => ({
      ...template,
      id: `case-${place}`,
      accountUid: `account-${place}`,
      status: 'Appealed',
    }));
    await page.route('**/audit/med?*', (route) => route.fulfill({ json: { data: { items, nextCursor: null } } }));
    await page.route('**/audit/names?*', (route) => {
      const uids = new URL(route.request().url()).searchParams.get('uids')!.split(',');
      const named = uids.map((uid) => ({ uid, name: `Loja ${uid}` }));
      return route.fulfill(uids.length > 100 ? { status: 400 } : { json: { data: { items: named } } });
    });
    await operator.go('/med');
    await page.getByRole('row', { name: /Appealed.*Loja account-0 / }).waitFor();
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    for (const place of [147, 148, 149]) await page.getByRole('link', { name: `Loja account-${place}` }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });

    await page.route('**/admin/reconciliation/cases?*', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.replaceAll('"PaymentOut"', '"PaymentLater"') });
    });
    await operator.go('/reconciliation');
    await page.getByRole('combobox', { name: 'Cases' }).selectOption('Closed');
    await page
      .getByRole('row', { name: /PaymentLater/ })
      .first()
      .waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('sees how far the files of a partner are, and what became of their lines', async () => {
    const { page } = operator;
    const { uid } = await world.operator.partner(['0.00']);
    await operator.go(`/partners/${uid}?tab=files`);
    await page.getByText('This partner has sent no file yet.').waitFor();
    const files = new PayoutFiles(world.service.url, world.api.token);
    const { id } = (await files.upload(payoutCsv(3, 'folha') + payoutRow('folha-alta', '90000.00'))).body.data;
    await operator.go(`/partners/${world.partner.uid}`);
    await page.getByRole('tab', { name: 'Payout files' }).click();
    const row = page.getByRole('row', { name: new RegExp(id.slice(-4)) });
    const progress = row.getByRole('progressbar', { name: 'Progress' });
    await row.getByText('4 of 4 lines').waitFor();
    expect(await progress.getAttribute('aria-valuenow')).toBe('4');
    await row.getByText('Completed').waitFor();
    await row.getByText('R$\u00a090.003,00').waitFor();
    // A file is completed before its payouts are, and the page asks again every second only.
    await row.getByRole('cell', { name: '3', exact: true }).waitFor();
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();
    expect((await files.ended(id)).counts).toMatchObject({ completed: 3, error: 1 });
    await picture(page, 'files', true);
  });

  it('is not taken from a form by a verification that starts late', async () => {
    const { page } = operator;
    await operator.go('/ledger');
    const held = Promise.withResolvers<Route>();
    await page.route('**/audit/verifications', (route) =>
      route.request().method() === 'POST' ? held.resolve(route) : route.continue(),
    );
    await page.getByRole('button', { name: 'Verify the ledger' }).click();
    const route = await held.promise;
    await page.getByRole('link', { name: 'Partners', exact: true }).first().click();
    await page.getByRole('button', { name: 'New partner' }).click();
    await page.locator('.dialog').getByLabel('Name').fill('Loja da noite');
    const started = page.waitForResponse((response) => response.request().method() === 'POST');
    await route.continue();
    expect((await started).status()).toBe(202);
    await page.unrouteAll({ behavior: 'wait' });
    await page.keyboard.press('Tab');
    await page.locator('.dialog [name="taxNumber"]:focus').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/console/partners');
    await operator.go('/ledger');
    await page
      .getByRole('link', { name: /\d\d\/\d\d\/\d{4}/ })
      .first()
      .waitFor();
  });

  it('redelivers a notification that failed', async () => {
    const { page } = operator;
    await world.delivered();
    world.answerWith(500);
    const id = await world.deposit('15.00', 'pedido-77');
    expect((await call(world.service.url, 'POST', `/sandbox/pix/transactions/${id}/complete`)).status).toBe(200);
    await operator.go(`/transactions/${id}`);
    await page.locator('[data-delivery="Exhausted"]').getByText('HTTP 500').waitFor();
    world.answerWith(200);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    // Messages of success are shown for seconds only. Two clicks come before the page has drawn anything.
    await Promise.all([
      page.getByText('Queued.').waitFor(),
      page.getByText('Delivered: the receiver accepted it.').waitFor(),
      page.evaluate('for (const _ of [1, 2]) document.querySelector("[data-delivery] .button").click()'),
    ]);
    await page.locator('[data-delivery="Delivered"]').getByText('HTTP 200').waitFor();
    expect(sent).toHaveLength(1);
    page.removeAllListeners('request');

    // It was queued: to say that it could not be redelivered would have the partner told a third time.
    const lose = await heldAnswer(page, '**/redeliver');
    await page.getByRole('button', { name: 'Redeliver', exact: true }).first().click();
    await lose();
    const message = page.locator('.toast', { hasText: 'Not confirmed: Redeliver' });
    await message.locator('button').click();
    await message.waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /HTTP 200/ })
      .nth(1)
      .waitFor();
  });

  it('goes from the number of failing deliveries to them, and redelivers all to a host', async () => {
    const { page } = operator;
    world.answerWith(500);
    for (const order of ['pedido-78', 'pedido-79']) {
      const id = await world.deposit('16.00', order);
      expect((await call(world.service.url, 'POST', `/sandbox/pix/transactions/${id}/complete`)).status).toBe(200);
    }
    await operator.go('/');
    await page.locator('.tile', { hasText: 'Deliveries failing' }).getByRole('link', { name: '2' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    const failing = page.getByRole('region', { name: 'Not delivered' });
    await failing
      .getByRole('row', { name: /Exhausted.*Padaria Aurora Ltda.*HTTP 500/ })
      .first()
      .waitFor();
    world.answerWith(200);
    await page.getByRole('button', { name: 'Redeliver all' }).click();
    await page.locator('.dialog').getByRole('button', { name: 'Redeliver all' }).click();
    // It gives the focus back as it goes.
    await page.locator('.dialog').waitFor({ state: 'detached' });
    await failing.getByText('No delivery.').waitFor();
  });

  it('finds a transaction by what is at hand, at an address that can be shared', async () => {
    const { page } = operator;
    await followed(world.database);
    await page.keyboard.press('/');
    await page.locator('[type="search"]:focus').waitFor();
    await page.keyboard.type('pedido-77');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /CashIn/ }).waitFor();
    await operator.go('/transactions?amount=1.234,50');
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('1.234,50');
    await operator.go('/transactions?orderId=pedido-77');
    await page.getByRole('row', { name: /CashIn.*Completed.*R\$\s15,00/ }).waitFor();
    await page.reload();
    await page
      .getByRole('row', { name: /CashIn.*Completed.*R\$\s15,00/ })
      .getByRole('link', { name: 'CashIn' })
      .click();
    await page.getByRole('heading', { level: 1, name: /CashIn/ }).waitFor();
  });

  it('sees the overview of the service', async () => {
    const { page } = operator;
    await operator.go('/');
    await page.getByRole('img', { name: 'Transactions over time' }).locator('canvas').waitFor();
    await page
      .locator('.tile', { hasText: 'Completed' })
      .getByText(/^[1-9]/)
      .first()
      .waitFor();
    await picture(page, 'overview');
    const activity = page.getByRole('region', { name: 'Transactions over time' });
    await page.getByRole('img', { name: 'Latency over time' }).waitFor();
    await activity.getByLabel('Measure').selectOption({ label: 'Success rate' });
    await activity.getByLabel('By', { exact: true }).waitFor({ state: 'detached' });
    await activity.locator('.legend', { hasText: /^TransferCashInCashOutRefund$/ }).waitFor();
    await activity.getByRole('img').locator('canvas').waitFor();
  });

  it('of one tab is that of all: no page or form of another user stays to be sent under the name of the new one', async () => {
    const shared = await visit(world.browser, world.service.url);
    await shared.signIn(ADMIN_TOKEN);
    await shared.go('/partners');
    await shared.page.route('**/console/session', (route) => route.abort(), { times: 1 });
    await shared.page.getByRole('button', { name: 'Sign out' }).click();
    await shared.page.getByText('Sign-out failed').waitFor();
    await shared.page.getByRole('button', { name: 'New partner' }).click();
    await shared.page.locator('.dialog').getByLabel('Name').fill('Loja de antes');
    const other = await shared.context.newPage();
    await other.goto('/console/');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await shared.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    const { token } = await world.operator.post('/auditors', { name: 'Next at this desk' });
    await other.getByLabel('Credential').fill(token);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await shared.page.locator('.side-foot').getByText('Auditor, read-only').waitFor();
    expect(await shared.page.getByRole('button', { name: 'New partner' }).count()).toBe(0);
    expect(await shared.page.locator('.dialog').count()).toBe(0);
    await shared.page.getByText('Sign-out failed').waitFor({ state: 'detached' });
    await shared.close();
  });

  it('leaves: a page that nobody touches stops asking, so that its session can end', async () => {
    const left = await visit(world.browser, world.service.url, { storageState: await operator.context.storageState() });
    const { page } = left;
    await page.clock.install();
    const asked: Request[] = [];
    page.on('request', (request) => asked.push(request));
    await left.go('/ledger');
    const next = page.waitForRequest('**/audit/partitions');
    await page.clock.runFor(4_000);
    await next;
    await page.clock.fastForward('16:00');
    await page.clock.runFor(1_000);
    await Promise.all(asked.map((request) => request.response()));
    asked.length = 0;
    await page.clock.runFor(60_000);
    expect(asked.map((request) => request.url())).toEqual([]);
    const again = page.waitForRequest('**/audit/partitions');
    await page.keyboard.press('Shift');
    await page.clock.runFor(4_000);
    await again;
    expect(left.faults).toEqual([]);
    await left.close();
  });

  it('signs out, and the session is over for the service too', async () => {
    const { page } = operator;
    const [before] = await operator.context.cookies();
    // Every minute the page asks for its session, at the same address.
    await page.route('**/console/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await Promise.all([
      page.getByText('Sign-out failed').waitFor(),
      page.getByRole('button', { name: 'Sign out' }).click(),
    ]);
    await page.unroute('**/console/session');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    const headers = { cookie: `${before!.name}=${before!.value}` };
    expect((await call(world.service.url, 'GET', '/admin/partners', { headers })).status).toBe(401);
  });

  it('met no fault on the way', () => {
    expect(operator.faults).toEqual([]);
  });
});
