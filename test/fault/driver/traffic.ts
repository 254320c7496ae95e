import { type Answer, call } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { PAYER } from '../../support/pix-edge.js';
import {
  batch,
  cashIn,
  cashOut,
  type Client,
  credit,
  payoutFile,
  refund,
  transfer,
  webhookTest,
} from './operations.js';
import { type Attempt, type Batch, type Book, type Command, promiseOf } from './promises.js';
import type { Random } from './random.js';
import type { World } from './world.js';

const KINDS = {
  transfer: 30,
  cashOut: 14,
  cashIn: 10,
  pay: 10,
  refund: 5,
  cancel: 2,
  batch: 6,
  payoutFile: 1,
  credit: 6,
  webhookTest: 4,
  login: 4,
  read: 12,
  repeat: 10,
  twice: 3,
};
const COMMANDS = { transfer, cashOut, cashIn, refund, credit, webhookTest, payoutFile };
const THINK_MS = 30;
/** Longer than the service takes for any answer; then the answer counts as lost. */
const PATIENCE_MS = 40_000;

/** Random requests of every kind from several clients, to whatever instance serves at the moment. */
export class Traffic {
  readonly #clients: Client[];
  #running: Promise<void>[] = [];
  #stopped = false;

  constructor(
    private readonly world: World,
    readonly book: Book,
    random: Random,
    clients: number,
    name: string,
  ) {
    this.#clients = Array.from({ length: clients }, (_, i) => ({
      name: `${name}-c${i}`,
      world,
      book,
      random: random.fork(),
      cashIns: [],
      waiting: [],
      cancellable: [],
      sent: 0,
    }));
  }

  start(): void {
    this.#running = this.#clients.map((client) => this.#run(client));
  }

  /** Resolves when the last answer has come, or was lost. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Many transfers of one account at once: more than the queue of its partition holds. */
  async burst(random: Random, count: number): Promise<void> {
    const actor = random.pick(this.world.actors);
    const burst = Array.from({ length: count }, () => transfer(this.#clients[0]!, actor));
    await Promise.all(burst.map((command) => this.send(command, random)));
  }

  /** Payouts that wait to be forced, of all clients. */
  get waiting(): readonly string[] {
    return this.#clients.flatMap(({ waiting }) => waiting);
  }

  /** Sends a command once more, or for the first time. */
  async send(command: Command, random: Random): Promise<Attempt> {
    const attempt = this.book.attempt(command);
    const answer = await this.#ask(random, command.method, command.path, {
      token: command.token,
      body: command.body,
      headers: {
        'x-request-id': attempt.requestId,
        ...(command.key !== undefined && { 'idempotency-key': command.key }),
        ...(command.contentType !== undefined && { 'content-type': command.contentType }),
      },
    });
    this.book.settle(command, attempt, answer);
    return attempt;
  }

  async #sendBatch(sent: Batch, random: Random): Promise<void> {
    const { requestId, attempts } = this.book.attemptAll(sent);
    const items = sent.commands.map(({ key, body }) => ({ idempotencyKey: key, ...(body as object) }));
    const answer = await this.#ask(random, 'POST', sent.path, {
      token: sent.commands[0]!.token,
      body: { mode: sent.mode, items },
      headers: { 'x-request-id': requestId, ...(sent.key !== undefined && { 'idempotency-key': sent.key }) },
    });
    this.book.settleAll(sent, attempts, answer);
  }

  async #run(client: Client): Promise<void> {
    while (!this.#stopped) {
      await this.#step(client);
      await new Promise((resume) => setTimeout(resume, client.random.next() * THINK_MS));
    }
  }

  async #step(client: Client): Promise<void> {
    const { random, book } = client;
    const kind = random.weighted(KINDS);
    switch (kind) {
      case 'pay':
        return this.#pay(client);
      case 'cancel':
        return this.#cancel(client);
      case 'login':
        return this.#login(client);
      case 'read':
        return this.#read(client);
      case 'repeat': {
        const again = book.commands.filter(
          ({ key, attempts }) => key && key.startsWith(client.name) && attempts.length,
        );
        if (again.length > 0) await this.send(random.pick(again), random);
        return;
      }
      case 'batch': {
        const sent = batch(client);
        await this.#sendBatch(sent, random);
        if (random.chance(0.2)) await this.#sendBatch(sent, random);
        return;
      }
      case 'twice': {
        const command = transfer(client);
        await Promise.all([this.send(command, random), command.key ? this.send(command, random) : undefined]);
        return;
      }
      default: {
        const command = COMMANDS[kind](client);
        if (command) await this.send(command, random);
      }
    }
  }

  /** The payer's bank: what fits, another amount, or a second payment for the same code. */
  async #pay({ random, cashIns }: Client): Promise<void> {
    if (cashIns.length === 0) return;
    const { qrCode } = random.pick(cashIns.slice(-5));
    this.book.counts.payments += 1;
    const body = { qrCode, payer: PAYER, ...(random.chance(0.1) && { amount: '0.50' }) };
    this.#expect(await this.#ask(random, 'POST', '/sandbox/pix/payments', { body }), 'a payment', [
      'done',
      'unavailable',
    ]);
  }

  /** Cancelling takes no key; where it stands afterwards is seen in the log. */
  async #cancel({ random, cashIns, cancellable }: Client): Promise<void> {
    const deposits = cashIns.map(({ actor, id }) => ({
      actor,
      path: `/partners-int/accounts/pix/cashin/${id}/cancel`,
    }));
    const all = [...deposits, ...cancellable];
    if (all.length === 0) return;
    const { actor, path } = random.pick(all);
    const answer = await this.#ask(random, 'POST', path, { token: actor.token });
    this.#expect(answer, 'a cancellation', ['done', 'refused', 'unavailable', 'unknown']);
  }

  async #login({ random, world }: Client): Promise<void> {
    const { credentials } = random.pick(world.actors).partner;
    this.book.counts.logins += 1;
    const answer = await this.#ask(random, 'POST', '/partners-int/login', { body: credentials });
    this.#expect(answer, 'a login', ['done', 'unavailable']);
  }

  /** What was acknowledged is there for every reader, on every instance. */
  async #read({ random, book, world }: Client): Promise<void> {
    const { token, account } = random.pick(world.actors);
    const seen = book.commands.filter((one) => one.token === token && /transfer|cash-|refund/.test(one.kind));
    const known = seen.flatMap(({ attempts }) => attempts).filter(({ promised }) => promised === 'done');
    const transaction = known.length > 0 ? [`transactions/${random.pick(known).id}`] : [];
    const path = random.pick([
      '',
      account,
      `${account}/statement`,
      'transactions?limit=10',
      ...transaction,
      ...transaction,
      ...transaction,
    ]);
    book.counts.reads += 1;
    const answer = await this.#ask(random, 'GET', `/partners-int/accounts/${path}`, { token });
    this.#expect(answer, `a read of ${path}`, ['done', 'unavailable']);
  }

  #expect(answer: Answer | undefined, what: string, allowed: readonly string[]): void {
    if (!answer || allowed.includes(promiseOf(answer))) return;
    this.book.violations.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** @returns `undefined` where no answer came: the process was killed, or has not begun to listen */
  async #ask(
    random: Random,
    method: string,
    path: string,
    options: Parameters<typeof call>[3] = {},
  ): Promise<Answer | undefined> {
    const urls = await eventually(
      () => {
        const serving = this.world.instances.flatMap(({ url }) => url ?? []);
        return serving.length > 0 && serving;
      },
      { within: PATIENCE_MS },
    );
    const lost = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS).unref());
    return Promise.race([call(random.pick(urls), method, path, options).catch(() => undefined), lost]);
  }
}
