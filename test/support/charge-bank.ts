import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactSign, exportJWK } from 'jose';
import { encodeDynamicBrCode } from '../../src/pix/domain/values/br-code.js';
import { formatAmount } from '../../src/platform/money.js';
import { testAuthority } from './certificates.js';

export const CHARGE_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
/** `k1` and `k2` are in the bank's set, the stranger's is not. */
export const SIGNERS = {
  elliptic: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  stranger: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};

export interface Signing {
  readonly key?: KeyObject;
  readonly alg?: string;
  readonly kid?: string;
  readonly jku?: string;
}

type Page = (response: ServerResponse) => void;
export const says =
  (text: string): Page =>
  (response) =>
    void response.end(text);

/** `CobPayload` of the API Pix, of 12.34 for an hour. */
export const charge = (change: object = {}) => ({
  txid: 'pedido7pedido7pedido7pedido7',
  revisao: 0,
  status: 'ATIVA',
  chave: CHARGE_KEY,
  calendario: { criacao: new Date().toISOString(), apresentacao: new Date().toISOString(), expiracao: 3600 },
  valor: { original: '12.34' },
  ...change,
});

/** Another institution, which serves charges: https, a certificate and signatures of its own. */
export class ChargeBank {
  /** What it answers, by path. */
  pages = new Map<string, Page>();
  asked: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  static async start(): Promise<ChargeBank> {
    const folder = mkdtempSync(join(tmpdir(), 'payments-charges-'));
    const authority = testAuthority('bank of the receiver');
    writeFileSync(join(folder, 'ca.pem'), authority.cert);
    const server = createServer(authority.issue('localhost', '127.0.0.1'));
    const bank = new ChargeBank(server, folder);
    server.on('request', ({ url }, response) => {
      bank.asked.push(url!);
      const page = bank.pages.get(url!);
      if (page) page(response);
      else response.writeHead(404).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await bank.reset();
    return bank;
  }

  /** Has a service trust it. */
  get settings(): { NODE_EXTRA_CA_CERTS: string } {
    return { NODE_EXTRA_CA_CERTS: join(this.folder, 'ca.pem') };
  }

  get host(): string {
    return `localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async reset(): Promise<void> {
    const keys = [
      { ...(await exportJWK(SIGNERS.elliptic.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' },
      { ...(await exportJWK(SIGNERS.rsa.publicKey)), kid: 'k2', use: 'sig' },
    ];
    this.asked = [];
    this.pages = new Map([['/jwks', says(JSON.stringify({ keys }))]]);
  }

  signed(payload: unknown, { key = SIGNERS.elliptic.privateKey, alg = 'ES256', kid = 'k1', jku }: Signing = {}) {
    const bytes = new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload));
    return new CompactSign(bytes)
      .setProtectedHeader({ alg, kid, jku: jku ?? `https://${this.host}/jwks`, typ: 'JOSE' })
      .sign(key);
  }

  /** @returns the code of a charge that it serves from now on */
  async serve(payload: object, path = '/qr/1', amount?: bigint): Promise<string> {
    this.pages.set(path, says(await this.signed(payload)));
    return codeAt(`${this.host}${path}`, amount);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    rmSync(this.folder, { recursive: true });
  }
}

/** The code of a charge at an address. */
export function codeAt(location: string, amount = 1n): string {
  return encodeDynamicBrCode({ location, merchantName: 'Padaria Aurora', merchantCity: 'SAO PAULO', amount });
}

export const original = (amount: bigint) => ({ valor: { original: formatAmount(amount) } });
