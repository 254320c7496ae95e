import { txidOf } from '../../../src/pix/domain/values/txid.js';
import type { Answer, PartnerApi } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import type { ModelPsp, PspFault } from '../../support/model-psp.js';
import type { PspPix } from '../../support/model-psp-books.js';
import type { Random } from './random.js';

/** What becomes of a deposit, and how many of a hundred. */
const PLAYS = { paid: 40, unheard: 12, wrong: 10, twice: 10, cancelled: 8, raced: 8, late: 8, keyless: 4 };
export type Play = keyof typeof PLAYS;

/** Calls of the PSP that a process may be killed at; `play` leads there. */
export const POINTS: Readonly<Record<string, { readonly call: RegExp; readonly play: Play }>> = {
  'a charge is made': { call: /^PUT \/cob/, play: 'unheard' },
  'a charge is closed': { call: /^PATCH \/cob/, play: 'cancelled' },
  'a payment is read': { call: /^GET \/pix\/\w+$/, play: 'paid' },
  'payments are listed': { call: /^GET \/pix\?/, play: 'unheard' },
  'money is returned': { call: /^PUT \/pix\/\w+\/devolucao/, play: 'wrong' },
  'a return is looked up': { call: /^GET \/pix\/\w+\/devolucao/, play: 'wrong' },
};

/** What a PSP may fail at: the rare calls as often as the others. */
const CALLS = [...Object.values(POINTS).map(({ call }) => call), /^POST \/oauth\/token/];

/** Trouble of a PSP or of what stands before it; none of them is a refusal. */
const FAULTS: readonly PspFault[] = [
  ...(['hang', 'answer lost', 'answer lost'] as const),
  ...[{ status: 500 }, { status: 503, retryAfter: 1 }, { status: 429, retryAfter: 1 }],
  ...([404, 502].map((status) => ({ status, bare: true })) as PspFault[]),
];

const PATIENT = { within: 60_000, every: 50 };

interface World {
  readonly psp: ModelPsp;
  readonly session: PartnerApi;
  readonly webhookUrl: string;
  readonly random: Random;
  /** The address of one of the processes. */
  readonly anyService: () => string;
  /** One in so many steps has the PSP fail once; 0 is none. */
  readonly chaos: number;
}

/** A partner who asks for deposits, and payers who pay them well, badly, twice, too late or unheard. */
export class DepositPlays {
  /** Of the deposits that were accepted. */
  readonly ids: string[] = [];
  /** Deposits that were paid as they ask for, and that nobody cancelled. */
  readonly due: string[] = [];
  readonly refunds: string[] = [];
  asked = 0;

  constructor(private readonly world: World) {}

  async step(play: Play = this.world.random.weighted(PLAYS)): Promise<void> {
    const { psp, random } = this.world;
    const id = await this.#deposit();
    const pay = (valor?: string) => psp.books.pay(txidOf(id), valor === undefined ? {} : { valor });
    switch (play) {
      case 'paid':
        this.due.push(id);
        await this.#tell(pay());
        if (random.chance(0.4)) await this.#giveBack(id);
        return;
      case 'unheard':
        this.due.push(id);
        return void pay();
      case 'wrong':
        return this.#tell(pay('7.77'));
      case 'twice': {
        this.due.push(id);
        const both = [pay(), pay()];
        return this.#tell(...(random.chance(0.5) ? both.reverse() : both));
      }
      case 'cancelled':
        return this.#cancel(id);
      case 'raced':
        return void (await Promise.all([this.#tell(pay()), this.#cancel(id)]));
      case 'late':
        await this.#cancel(id);
        return this.#tell(pay());
      case 'keyless':
        return this.#tell(psp.books.pay(null, { valor: '3.33' }));
    }
  }

  async #deposit(): Promise<string> {
    const number = (this.asked += 1);
    const body = {
      payment: { value: { original: `${10 + (number % 50)}.00` } },
      transaction: { orderId: `pedido-${number}` },
      webhook: { url: this.world.webhookUrl },
    };
    const answer = await this.#until([201], '/accounts/pix/cashin', body, `k-${number}`);
    const { id } = answer.body.data.transaction as { id: string };
    this.ids.push(id);
    return id;
  }

  async #cancel(id: string): Promise<void> {
    await this.#until([200, 422], `/accounts/pix/cashin/${id}/cancel`);
  }

  /** In two parts, if it is credited soon. */
  async #giveBack(id: string): Promise<void> {
    const { session, anyService } = this.world;
    const isCredited = await eventually(
      async () => {
        const answer = await session.on(anyService()).get(`/accounts/transactions/${id}`);
        return answer.body.data?.transaction.state === 'Completed';
      },
      { within: 3_000, every: 50 },
    ).catch(() => false);
    if (!isCredited) return;
    for (const amount of ['1.00', '2.00']) {
      const answer = await this.#until([201], `/accounts/pix/cashin/${id}/refunds`, { amount }, `r-${id}-${amount}`);
      this.refunds.push(answer.body.data.transaction.id as string);
    }
  }

  /** Once: a PSP tells again, or does not, and the sweep finds what was not heard. */
  async #tell(...paid: readonly PspPix[]): Promise<void> {
    this.#disturb();
    const named = paid.map(({ endToEndId }) => endToEndId);
    await this.world.psp.notify(this.world.anyService(), named).catch(() => 0);
  }

  /** Until a process gives one of these answers; with one key, so that a lost one makes no second deposit. */
  #until(expected: readonly number[], path: string, body?: object, key?: string): Promise<Answer> {
    const { session, anyService } = this.world;
    const headers = key === undefined ? undefined : { 'idempotency-key': key };
    return eventually(async () => {
      this.#disturb();
      const answer = await session.on(anyService()).post(path, body, headers);
      return expected.includes(answer.status) && answer;
    }, PATIENT);
  }

  #disturb(): void {
    const { psp, random, chaos } = this.world;
    if (chaos > 0 && random.chance(1 / chaos)) psp.failNext(random.pick(CALLS), random.pick(FAULTS));
  }
}
