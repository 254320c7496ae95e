import { startBrowser, visit } from '../test/support/browser.ts';
import { ADMIN_TOKEN } from './server.ts';

/** The console's page, open in Chromium with an operator signed in. */
export interface ConsolePage {
  /** Durations of requests by the page's own script, body included, in milliseconds. */
  times(path: string, runs: number): Promise<number[]>;
  close(): Promise<void>;
}

/** @throws Error without Chromium */
export async function openConsolePage(base: string): Promise<ConsolePage> {
  const browser = await startBrowser();
  const visitor = await visit(browser, base);
  await visitor.signIn(ADMIN_TOKEN);
  // A page without lists, so that it sends no requests of its own.
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
