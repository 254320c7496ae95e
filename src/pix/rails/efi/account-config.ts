import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { backoff } from '../backoff.js';
import { ApiPixClient } from '../bcb/api-pix-client.js';
import { MalformedAnswer } from '../bcb/answer-members.js';

/** The account's settings at the PSP; members that we do not use are kept. */
interface PspConfig {
  readonly pix?: { readonly chaves?: Readonly<Record<string, KeyConfig>> };
}

interface KeyConfig {
  readonly recebimento?: { readonly webhook?: object };
  readonly envio?: { readonly webhook?: { readonly notificacao?: object } };
}

/** At the start, has the PSP name payers and fees in its callbacks, and refuse payers other than a charge's debtor. */
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
    if (this.config.role !== 'api') void this.#apply(1);
  }

  onApplicationShutdown(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #apply(attempt: number): Promise<void> {
    try {
      // A maintenance page with 200 says nothing of the settings, and an operator's would be lost.
      const now = (await this.#call('GET')) as PspConfig | undefined;
      if (now === undefined || now === null) throw new MalformedAnswer('gn config');
      const wanted = wantedConfig(now, this.config.pixKey, this.config.efi!.checksPayer);
      if (!isDeepStrictEqual(now, wanted)) await this.#call('PUT', wanted);
    } catch (error) {
      // Of any kind: nobody else hears of it. Settings nested too deep to be written would end the process.
      this.#logger.error({ err: error }, "the PSP did not accept the account's settings; it is retried");
      if (this.#closed) return;
      const pause = backoff(attempt).retryAt.getTime() - Date.now();
      this.#timer = setTimeout(() => void this.#apply(attempt + 1), pause).unref();
    }
  }

  #call(method: 'GET' | 'PUT', body?: object): Promise<unknown> {
    const { ownUrl: base } = this.config.efi!;
    return this.client.call({ operation: `${method} gn config`, method, base, path: '/config', ...(body && { body }) });
  }
}

/** The account's settings with ours for our key; the operator's other settings stay. @throws MalformedAnswer */
export function wantedConfig(now: PspConfig, key: string, checksPayer: boolean): object {
  const pix = group(group(now).pix);
  const chaves = group(pix.chaves);
  const ofKey = group(chaves[key]);
  const [recebimento, envio] = [group(ofKey.recebimento), group(ofKey.envio)];
  const sent = group(envio.webhook);
  const wanted = {
    ...ofKey,
    recebimento: {
      txidObrigatorio: false,
      qrCodeEstatico: { recusarTodos: false },
      ...recebimento,
      ...(checksPayer && { documentoPagadorIgualDevedor: true }),
      webhook: { ...group(recebimento.webhook), notificacao: { tarifa: true, pagador: true } },
    },
    envio: {
      ...envio,
      webhook: { ...sent, notificacao: { favorecido: false, ...group(sent.notificacao), tarifa: true } },
    },
  };
  return { pix: { receberSemChave: true, ...pix, chaves: { ...chaves, [key]: wanted } } };
}

/** Of another type they are no settings: written back with ours, they would not be the operator's any more. */
function group<T extends object>(members: T | null | undefined): Partial<T> {
  if (typeof (members ?? {}) !== 'object' || Array.isArray(members)) throw new MalformedAnswer('gn config');
  return members ?? {};
}
