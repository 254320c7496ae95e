import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { askAgain } from '../ask-again.js';
import { ApiPixClient } from '../bcb/api-pix-client.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import { RailUnavailable } from '../pix-rail.js';

/** What the PSP has of the account; members that are not ours are carried along. */
interface PspConfig {
  readonly pix?: { readonly chaves?: Readonly<Record<string, KeyConfig>> };
}

interface KeyConfig {
  readonly recebimento?: { readonly webhook?: object };
  readonly envio?: { readonly webhook?: { readonly notificacao?: object } };
}

/** Has the PSP tell of payers and fees in its callbacks, and refuse other payers than a charge names. At the start. */
@Injectable()
export class AccountConfig implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('Efí rail');
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') void this.#keepTrying(1);
  }

  onApplicationShutdown(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #keepTrying(attempt: number): Promise<void> {
    try {
      const now = (await this.#call('GET')) as PspConfig;
      const wanted = wantedConfig(now, this.config.pixKey, this.config.efi!.checksPayer);
      if (!isDeepStrictEqual(now, wanted)) await this.#call('PUT', wanted);
    } catch (error) {
      if (!(error instanceof ApiPixRefusal || error instanceof RailUnavailable)) throw error;
      this.#logger.error({ err: error }, "the PSP did not take the account's settings; it is tried again");
      if (this.#closed) return;
      const pause = askAgain(attempt).retryAt.getTime() - Date.now();
      this.#timer = setTimeout(() => void this.#keepTrying(attempt + 1), pause).unref();
    }
  }

  #call(method: 'GET' | 'PUT', body?: object): Promise<unknown> {
    const { ownUrl: base } = this.config.efi!;
    return this.client.call({ operation: `${method} gn config`, method, base, path: '/config', ...(body && { body }) });
  }
}

/** The account's settings with ours for our key; what the operator has set there stays. */
export function wantedConfig({ pix }: PspConfig, key: string, checksPayer: boolean): object {
  const ofKey = pix?.chaves?.[key];
  const { recebimento, envio } = ofKey ?? {};
  const wanted = {
    ...ofKey,
    recebimento: {
      txidObrigatorio: false,
      qrCodeEstatico: { recusarTodos: false },
      ...recebimento,
      ...(checksPayer && { documentoPagadorIgualDevedor: true }),
      webhook: { ...recebimento?.webhook, notificacao: { tarifa: true, pagador: true } },
    },
    envio: {
      ...envio,
      webhook: { ...envio?.webhook, notificacao: { favorecido: false, ...envio?.webhook?.notificacao, tarifa: true } },
    },
  };
  return { pix: { receberSemChave: true, ...pix, chaves: { ...pix?.chaves, [key]: wanted } } };
}
