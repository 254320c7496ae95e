import { startBrowser, visit } from '../test/support/browser.ts';
import { ADMIN_TOKEN } from './server.ts';

/** The console's page, open in Chromium with an operator signed in. */
export interface ConsolePage {
  /** How long each of so many requests takes for the page's own script, body included, in milliseconds. */
  times(path: string, runs: number): Promise<number[]>;
  close(): Promise<void>;
}

/** @throws Error where there is no Chromium */
export async function openConsolePage(base: string): Promise<ConsolePage> {
  const browser = await startBrowser();
  const visitor = await visit(browser, base);
  await visitor.signIn(ADMIN_TOKEN);
  // A page without lists of its own, so that nothing is asked for meanwhile.
  await visitor.go('/nowhere');
  return {
    times: (path, runs) =>
      visitor.page.evaluate<number[]>(`(async () => {
        const times = [];
        for (let i = 0; i < ${runs}; i++) {
          const started = performance.now();
          await (await fetch(${JSON.stringify(path)})).text();
          times.push(performance.now() - started);
        }
        return times;
      })()`),
    close: () => browser.close(),
  };
}
