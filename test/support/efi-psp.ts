import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestAuthority } from './certificates.js';
import type { EfiBehaviour, EfiSent } from './efi-books.js';
import type { EfiFault } from './efi-server.js';
import { CLIENT } from './model-psp.js';

const RUN = ['--disable-warning=ExperimentalWarning', '--experimental-transform-types', '--import'];
export const EFI_HOST = 'pix-h.api.efipay.com.br';

/** The stand-in of Efí in a process of its own, and what a test has it do. */
export class EfiPsp {
  private constructor(
    private readonly process: ChildProcess,
    readonly port: number,
    private readonly control: number,
  ) {}

  static async start(authority: TestAuthority): Promise<EfiPsp> {
    const { cert, key } = authority.issue('127.0.0.1', EFI_HOST);
    const env = { PATH: process.env.PATH!, EFI_CLIENT: JSON.stringify(CLIENT) };
    const certificates = { EFI_CERT: cert, EFI_KEY: key, EFI_CA: authority.cert };
    const child = spawn(process.execPath, [...RUN, './test/support/ts-loader.mjs', 'test/support/efi-server.ts'], {
      env: { ...env, ...certificates },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [port, control] = line.toString().trim().split(' ').map(Number);
    return new EfiPsp(child, port!, control!);
  }

  get baseUrl(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  behave = (changes: Partial<EfiBehaviour>) => this.#order('behave', changes);
  callbacks = (changes: { to?: string; on?: boolean; twice?: boolean }) => this.#order('callbacks', changes);
  latency = (ms: number) => this.#order('latency', ms);
  chaos = (oneIn: number) => this.#order('chaos', oneIn);
  fail = (pattern: RegExp, fault: Omit<EfiFault, 'pattern'>) =>
    this.#order('fail', { pattern: pattern.source, ...fault });
  forgetFaults = () => this.#order('forgetFaults');
  end = (idEnvio: string, status: 'REALIZADO' | 'NAO_REALIZADO', codigo?: string) =>
    this.#order('end', { idEnvio, status, codigo });
  endAll = (status: 'REALIZADO' | 'NAO_REALIZADO') => this.#order('endAll', status);
  faults = () => this.#order<{ met: number }>('faults');
  sendBack = (idEnvio: string, valor: string) => this.#order('sendBack', { idEnvio, valor });
  callBack = (...pix: object[]) => this.#order<number>('callBack', pix);
  callbackOf = (idEnvio: string) => this.#order<Record<string, any>>('callbackOf', idEnvio);
  pay = (txid: string | null, more: object = {}) => this.#order<{ endToEndId: string }>('pay', { txid, ...more });
  report = (endToEndId: string, valor: number) => this.#order<string>('report', { endToEndId, valor });
  giveBack = (endToEndId: string, valor: string, status = 'DEVOLVIDO') =>
    this.#order('giveBack', { endToEndId, valor, status });
  endGivingBack = (endToEndId: string) => this.#order('endGivingBack', endToEndId);
  forget = (endToEndId: string) => this.#order('forget', endToEndId);
  analyse = (idInfracao: string, status: 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI') =>
    this.#order('analyse', { idInfracao, status });
  infraction = (idInfracao: string) => this.#order<any>('infraction', idInfracao);
  sent = () => this.#order<EfiSent[]>('sent');
  cob = (txid: string) => this.#order<any>('cob', txid);
  pix = (endToEndId: string) => this.#order<any>('pix', endToEndId);
  config = () => this.#order<any>('config');
  saldo = (saldo: string | null) => this.#order('saldo', saldo);
  webhookUrl = () => this.#order<string | null>('webhookUrl');
  asked = (pattern: RegExp) =>
    this.#order<{ method: string; path: string; body: any; status: number }[]>('requests', pattern.source);
  line = () => this.#order<{ mostUnderWay: number; order: string[] }>('line');
  forgetLine = () => this.#order('forgetLine');

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }

  async #order<T = void>(order: string, argument?: unknown): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${this.control}`, {
      method: 'POST',
      body: JSON.stringify({ order, argument }),
    });
    return (await answer.json()) as T;
  }
}

/** Settings of a service whose rail it is. */
export function efiSettings(psp: EfiPsp, authority: TestAuthority, pixKey: string, token: string) {
  const { cert, key } = authority.issue('partner-payments');
  return {
    PIX_RAIL: 'efi',
    PIX_KEY: pixKey,
    PUBLIC_URL: 'https://pay.example.com',
    EFI_BASE_URL: psp.baseUrl,
    EFI_CLIENT_ID: CLIENT.id,
    EFI_CLIENT_SECRET: CLIENT.secret,
    EFI_CLIENT_CERT: cert,
    EFI_CLIENT_KEY: key,
    EFI_CA: authority.cert,
    EFI_WEBHOOK_TOKEN: token,
  };
}
