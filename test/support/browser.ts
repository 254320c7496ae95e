import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** It reaches for nothing by itself: updates, variations and metrics stay off. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the system's Chromium with an empty profile of its own. `CHROMIUM` names another one. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
  if (!executablePath || !existsSync(executablePath)) {
    const looked = process.env.CHROMIUM ?? PLACES.join(', ');
    throw new Error(`No Chromium at ${looked}. Install it (Debian: apt-get install chromium), or set CHROMIUM.`);
  }
  return chromium.launch({ executablePath, args: ARGUMENTS, headless: true });
}

/** A person's browser window, and everything in it that must not happen. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught errors, refusals by the content-security policy, dialogs, and requests to elsewhere. */
  readonly faults: string[];
  /** To an address of the console, until its first answers are there. */
  go(path: string): Promise<void>;
  signIn(credential: string): Promise<void>;
  close(): Promise<void>;
}

export async function visit(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: base,
    locale: 'en-US',
    viewport: { width: 1280, height: 860 },
    ...options,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|React|Warning:/.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`) && !request.url().startsWith('blob:')) faults.push(request.url());
  });
  const go = async (path: string) => {
    await page.goto(`/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  return {
    page,
    context,
    faults,
    go,
    signIn: async (credential) => {
      await go('/');
      await page.getByLabel('Credential').fill(credential);
      await page.getByRole('button', { name: /Sign in|Entrar/ }).click();
      await page
        .getByRole('navigation', { name: /Pages|Páginas/ })
        .first()
        .waitFor({ state: 'attached' });
    },
    close: () => context.close(),
  };
}

/** @param address with `:name` for each of those things @returns it with their identifiers */
export function addressOf(address: string, things: Readonly<Record<string, string | undefined>>): string {
  return address.replace(/:(\w+)/g, (_, name: string) => things[name]!);
}

/** Keeps a picture for the documents, where one was asked for: `CONSOLE_SCREENSHOTS=docs/images/console`. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = process.env.CONSOLE_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  if (fullPage) await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage, animations: 'disabled' });
}
