import { type Answer, call, FROM_PAGE, OperatorApi, type TestPartner } from './api.js';
import { ADMIN_TOKEN, type Service } from './service.js';

/** Settings of the attacked service: callers name their address. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1' };

const SECRET = 'A'.repeat(43);

/** Guesses at the entry points of a service. A guess was checked if it was answered, but not by 429. */
export class EntryPointAttacks {
  /** Over all processes: no guess is repeated. */
  static #guesses = 0;

  private constructor(
    private readonly base: string,
    readonly partner: TestPartner,
    readonly auditor: { readonly id: string; readonly token: string },
  ) {}

  static async on({ url }: Service): Promise<EntryPointAttacks> {
    const operator = new OperatorApi(url);
    return new EntryPointAttacks(
      url,
      await operator.partner(['10.00']),
      await operator.post('/auditors', { name: 'Audit' }),
    );
  }

  /** The same at another process. */
  at({ url }: Service): EntryPointAttacks {
    return new EntryPointAttacks(url, this.partner, this.auditor);
  }

  /** A call of an operator's route. */
  asOperator(from: string, token = ADMIN_TOKEN): Promise<Answer> {
    return call(this.base, 'GET', '/admin/partners', { token, headers: { 'x-forwarded-for': from } });
  }

  /** A call of an auditor's route. */
  asAuditor(from: string, token = this.auditor.token): Promise<Answer> {
    return call(this.base, 'GET', '/audit/partitions', { token, headers: { 'x-forwarded-for': from } });
  }

  signIn(from: string, credential: string): Promise<Answer> {
    const headers = { ...FROM_PAGE, 'x-forwarded-for': from };
    return call(this.base, 'POST', '/console/session', { body: { credential }, headers });
  }

  logIn(from: string, accessKey: string, secret = 'sk_guess'): Promise<Answer> {
    const headers = { 'x-forwarded-for': from };
    return call(this.base, 'POST', '/partners-int/login', { body: { accessKey, secret }, headers });
  }

  guessOperator = (from: string) => this.asOperator(from, `guess-${EntryPointAttacks.#guesses++}`);

  /** A credential of the right form, of an auditor who does not exist. */
  guessAuditor = (from: string) => {
    const id = `0199d1f0-7c3b-7000-9a4e-${String(EntryPointAttacks.#guesses++).padStart(12, '0')}`;
    return this.asAuditor(from, `aud_${id}_${SECRET}`);
  };

  guessSignIn = (from: string) => this.signIn(from, `guess-${EntryPointAttacks.#guesses++}`);

  /** Of sequential guesses, how many were checked. */
  async checked(times: number, guess: (i: number) => Promise<Answer>): Promise<number> {
    let seen = 0;
    for (let i = 0; i < times; i++) if ((await guess(i)).status !== 429) seen += 1;
    return seen;
  }
}
