import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { FairTurns } from '../../platform/fair-turns.js';
import { AttemptFailed } from '../../platform/outbound/attempt-error.js';
import { fetchText } from '../../platform/outbound/fetch-text.js';
import { GuardedAgent } from '../../platform/outbound/guarded-agent.js';
import { webhookPolicy } from '../dto/webhook.js';
import { CodeRefused } from '../domain/code-refused.js';

/** BCB, "Manual de Segurança do Pix", 4.2: signatures with a public key, nothing weaker. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];
const BOUNDS = { deadlineMs: 5_000, mostBytes: 64 * 1024 };
const GONE = new Set([404, 410]);

/**
 * Fetches charges of other institutions. The address comes from a code, so it is called under the rules of webhooks:
 * public addresses over https only, bounded in time and size. Concurrency is limited for each partner: hosts that hang
 * delay only the partner whose codes lead there.
 */
@Injectable()
export class ForeignCharges implements OnApplicationShutdown {
  readonly #agent: GuardedAgent;
  readonly #turns = new FairTurns({ atOnce: 32, atOnceOfOne: 4, waiting: 256, waitMs: 5_000 });

  constructor(@Inject(CONFIG) config: Config) {
    this.#agent = new GuardedAgent({ policy: webhookPolicy(config), connectTimeoutMs: BOUNDS.deadlineMs });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#agent.destroy();
  }

  /**
   * The payload behind a dynamic code, its signature verified: JWS in compact serialization, by a key of the set that
   * `jku` names on the payload's own host.
   * @param partnerUid the requesting partner
   * @param location host and path, no scheme
   * @throws CodeRefused; Overloaded
   */
  fetch(partnerUid: string, location: string): Promise<unknown> {
    return this.#turns.take(partnerUid, async () => {
      const address = `https://${location}`;
      const jws = (await this.#get(address)).trim();
      const { jku } = headerOf(jws, address);
      return verified(jws, await this.#get(jku));
    });
  }

  async #get(address: string): Promise<string> {
    try {
      const { status, text } = await fetchText(this.#agent, address, BOUNDS);
      if (status === 200) return text;
      throw new CodeRefused(GONE.has(status) ? 'QrCodeUnknown' : 'QrCodeUnreachable', `${status}`);
    } catch (error) {
      // One reason for all: a code must not probe what answers in a private network.
      if (error instanceof AttemptFailed) throw new CodeRefused('QrCodeUnreachable', error.detail);
      throw error;
    }
  }
}

function headerOf(jws: string, address: string): { readonly jku: string } {
  const unsigned = (detail: string) => new CodeRefused('QrCodeSignatureInvalid', detail);
  let header: ReturnType<typeof decodeProtectedHeader>;
  try {
    header = decodeProtectedHeader(jws);
  } catch {
    throw unsigned('no JWS');
  }
  const { jku, kid, alg } = header;
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg)) throw unsigned('alg');
  if (typeof kid !== 'string') throw unsigned('kid');
  if (typeof jku !== 'string' || !URL.canParse(jku)) throw unsigned('jku');
  const url = new URL(jku);
  if (url.protocol !== 'https:' || url.host !== new URL(address).host)
    throw unsigned("jku is not on the payload's host");
  return { jku: url.href };
}

async function verified(jws: string, keySet: string): Promise<unknown> {
  try {
    const keys = createLocalJWKSet(JSON.parse(keySet) as JSONWebKeySet);
    const { payload } = await compactVerify(jws, keys, { algorithms: ALGORITHMS });
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as unknown;
  } catch (error) {
    throw new CodeRefused('QrCodeSignatureInvalid', error instanceof Error ? error.name : 'unknown');
  }
}
