import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type ApiPixSettings, type Config, CONFIG } from '../../../platform/config/index.js';
import { askAgain } from '../ask-again.js';
import { RailUnavailable } from '../pix-rail.js';
import { ApiPixClient } from './api-pix-client.js';
import { API_PIX_DIALECT, type ApiPixDialect } from './dialect.js';
import { ApiPixRefusal } from './problem.js';
import { API_PIX } from './settings.js';

/** The PSP may take a webhook away by itself (API Pix, `DELETE /webhook/{chave}`): it is looked after. */
const EVERY_MS = 60 * 60_000;

/** Tells the PSP where to notify us, at the start and from then on. Until it knows, the sweep finds every payment. */
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
    if (this.config.role !== 'api') void this.#keep();
  }

  onApplicationShutdown(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #keep(): Promise<void> {
    this.#failures = (await this.#ensure()) ? 0 : this.#failures + 1;
    if (this.#closed) return;
    // Some PSPs call the address before they take it, and at the first time we may not listen yet: soon again then.
    const pause = this.#failures === 0 ? EVERY_MS : askAgain(this.#failures).retryAt.getTime() - Date.now();
    this.#timer = setTimeout(() => void this.#keep(), pause).unref();
  }

  /** @returns whether the PSP knows our address now */
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
      this.#logger.error({ err: error }, 'the PSP did not take the address for its notifications; it is tried again');
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
