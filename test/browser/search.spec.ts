import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Visit, visit } from '../support/browser.js';
import { type ConsoleWorld, consoleWorld } from '../support/console-world.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { ADMIN_TOKEN } from '../support/service.js';

let world: ConsoleWorld;
let operator: Visit;

beforeAll(async () => {
  world = await consoleWorld();
  operator = await visit(world.browser, world.service.url);
  await operator.signIn(ADMIN_TOKEN);
}, 60_000);
afterAll(() => world?.stop());

async function search(text: string): Promise<void> {
  const field = operator.page.getByRole('searchbox', { name: 'Search' });
  await field.fill(text);
  await field.press('Enter');
}

/**
 * A page is there when it is shown: one that is left while it loads is a fault of the page. Its title takes the focus,
 * once: from something else, if that has it before.
 */
async function opened(path: string, name: string | RegExp): Promise<void> {
  const { page } = operator;
  await page.waitForURL(`**/console/${path}`);
  await page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor();
}

describe('the search field', () => {
  it('opens the one thing that fits: an order, the end of an identifier, a name, an account', async () => {
    const { page } = operator;
    const id = await world.deposit('31.41', '12345678000195');
    await followed(world.database);
    for (const text of [
      '12345678000195',
      id,
      `…${id.slice(-12)}`,
      '31,41',
      `https://x.example/console/transactions/${id}`,
    ]) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Partners' }).click();
      await opened('partners', 'Partners');
      await search(text);
      await opened(`transactions/${id}`, /CashIn/);
    }
    await search('padaria AURORA');
    await opened(`partners/${world.partner.uid}`, 'Padaria Aurora Ltda');
    await search(world.partner.accounts[1]!);
    await opened(`accounts/${world.partner.accounts[1]}`, 'Conta 2');
  });

  it('groups what fits in several ways, with names, and says so where nothing does', async () => {
    const { page } = operator;
    await followed(world.database);
    await search(world.partner.taxNumber);
    await page.getByRole('region', { name: 'Partners' }).getByRole('link', { name: 'Padaria Aurora Ltda' }).waitFor();
    await page.getByRole('region', { name: 'Accounts' }).getByRole('link', { name: 'Conta 2' }).waitFor();
    await search('nobody-ever-wrote-this');
    await page.getByText('No results.').waitFor();
    await operator.go('/transactions');
    await page.getByRole('row').filter({ hasText: 'Padaria Aurora Ltda' }).first().waitFor();
    expect(operator.faults).toEqual([]);
  });
});

describe('in Portuguese', () => {
  it('a payout is a Pix that was sent, its reason a sentence, its events words, a fault said once at its field', async () => {
    const portuguese = await visit(world.browser, world.service.url, { locale: 'pt-BR' });
    const { page } = portuguese;
    await portuguese.go('/partners');
    await page.getByLabel('Credencial').fill('errada');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('A credencial não é aceita.').waitFor();
    await page.getByLabel('Credencial').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('button', { name: 'Novo parceiro' }).click();
    await page.locator('.dialog').getByLabel('Nome').fill('Teste');
    await page.locator('.dialog').getByLabel('CPF ou CNPJ').fill('1');
    await page.locator('.dialog').getByRole('button', { name: 'Criar' }).click();
    await page.getByText('não está no formato esperado').first().waitFor();
    expect(await page.getByText('não está no formato esperado').count()).toBe(1);

    const { body } = await world.api.post('/accounts/pix/cashout', cashOutBody.account('20.97'));
    const { id } = body.data.transaction;
    // The page shows what there was when it was opened.
    await eventually(async () => {
      const { transaction } = (await world.api.get(`/accounts/transactions/${id}`)).body.data;
      return transaction.state === 'Error';
    });
    await portuguese.go(`/transactions/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Pix enviado' }).waitFor();
    await page.getByText('conta encerrada (AC07)').waitFor();
    await page.getByText('Pix enviado com erro').waitFor();
    await page.getByText('CPF ou CNPJ do recebedor').waitFor();
    await page
      .getByRole('rowheader')
      .or(page.getByRole('cell'))
      .getByRole('link', { name: 'Conta 1' })
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /^posição / })
      .first()
      .click();
    await page
      .getByRole('region', { name: /^Eventos a partir da posição \d+$/ })
      .getByText('Pix ordenado')
      .waitFor();
    expect(portuguese.faults).toEqual([]);
    await portuguese.close();
  });
});
