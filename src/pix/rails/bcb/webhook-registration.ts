import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type ApiPixSettings, type Config, CONFIG } from '../../../platform/config/index.js';
import { backoff } from '../backoff.js';
import { RailUnavailable } from '../rail-errors.js';
import { ApiPixClient } from './api-pix-client.js';
import { API_PIX_DIALECT, type ApiPixDialect } from './dialect.js';
import { ApiPixRefusal } from './problem.js';
import { API_PIX } from './settings.js';

/** The PSP may delete a webhook (API Pix, `DELETE /webhook/{chave}`): it is checked regularly. */
const CHECK_EVERY_MS = 60 * 60_000;

/** Registers our webhook at the PSP, at the start and from then on. Without it, the sweep still finds every payment. */
@Injectable()
export class WebhookRegistration implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('BCB rail');
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(API_PIX) private readonly settings: ApiPixSettings,
    @Inject(API_PIX_DIALECT) private readonly dialect: ApiPixDialect,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') void this.#run();
  }

  onApplicationShutdown(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#failures = (await this.#ensure()) ? 0 : this.#failures + 1;
    if (this.#closed) return;
    // Some PSPs call the address before they accept it, and at the start we may not listen yet: a quick retry then.
    const pause = this.#failures === 0 ? CHECK_EVERY_MS : backoff(this.#failures).retryAt.getTime() - Date.now();
    this.#timer = setTimeout(() => void this.#run(), pause).unref();
  }

  /** @returns whether the PSP has our address now */
  async #ensure(): Promise<boolean> {
    const { webhookUrl: base, webhookToken } = this.settings;
    const webhookUrl = `${base}/pix/notifications/${webhookToken}`;
    try {
      if ((await this.#registered()) === webhookUrl) return true;
      const { registrationHeaders: headers } = this.dialect;
      const request = {
        operation: 'PUT webhook',
        method: 'PUT',
        path: this.#path,
        headers,
        body: { webhookUrl },
      } as const;
      await this.client.call(request);
      return true;
    } catch (error) {
      if (!(error instanceof ApiPixRefusal || error instanceof RailUnavailable)) throw error;
      this.#logger.error({ err: error }, 'the PSP did not accept the webhook address; it is retried');
      return false;
    }
  }

  async #registered(): Promise<unknown> {
    try {
      const answer = await this.client.call({ operation: 'GET webhook', method: 'GET', path: this.#path });
      return (answer as { webhookUrl?: unknown } | undefined)?.webhookUrl;
    } catch (error) {
      if (error instanceof ApiPixRefusal) return undefined;
      throw error;
    }
  }

  get #path(): string {
    return `/webhook/${encodeURIComponent(this.config.pixKey)}`;
  }
}
