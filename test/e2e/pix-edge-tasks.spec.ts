import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { makeEndToEndId } from '../../src/pix/domain/values/end-to-end-id.js';
import type { PaymentInstruction, RailParty } from '../../src/pix/rails/pix-rail.js';
import type { RailNotifications } from '../../src/pix/rails/rail-notifications.js';
import { outcomeForPayer } from '../../src/pix/rails/sandbox/payer-bank.js';
import { eventually } from '../support/eventually.js';
import { openSandboxBooks, type SandboxBooks, type SandboxInstance } from '../support/sandbox-books.js';

const PAYER: RailParty = {
  name: 'Fulano de Tal',
  taxNumber: '52998224725',
  ispb: '99999008',
  branch: '0001',
  number: '1234567',
  digit: '8',
  type: 'CheckingsAccount',
};

/** A ledger that records its notifications, and may fail a few times first. */
class Listener implements RailNotifications {
  readonly heard: string[] = [];
  failures = 0;

  constructor(private readonly disposition: 'Credited' | 'Returned' = 'Credited') {}

  async #hear<T>(notification: string, answer: T): Promise<T> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('the ledger does not answer');
    }
    this.heard.push(notification);
    return answer;
  }

  paymentReceived({ endToEndId }: { endToEndId: string }) {
    return this.#hear(`paid ${endToEndId}`, this.disposition);
  }
  chargeChanged(txid: string) {
    return this.#hear(`charge ${txid}`, 'Applied' as const);
  }
  cashOutChanged(endToEndId: string, { status }: { status: string }) {
    return this.#hear(`${status} ${endToEndId}`, 'Applied' as const);
  }
  refundChanged(returnId: string) {
    return this.#hear(`refund ${returnId}`, 'Applied' as const);
  }
  moneyReturned({ endToEndId, amount }: { endToEndId: string; amount: bigint }) {
    return this.#hear(`sent back ${amount} of ${endToEndId}`, 'Applied' as const);
  }
}

const instruction = (amount: bigint): PaymentInstruction => ({
  paymentId: makeEndToEndId({
    prefix: 'E',
    ispb: '12345678',
    at: new Date(),
    partition: 1,
    random: randomBytes(8),
  }),
  amount,
  payee: { name: 'Maria Silva', taxNumber: '11144477735' },
  payer: PAYER,
});

describe('what the sandbox has planned', () => {
  let books: SandboxBooks;
  let instances: SandboxInstance[];
  // The failures are what these tests are about.
  beforeAll(() => Logger.overrideLogger(['fatal']));
  beforeEach(async () => {
    books = await openSandboxBooks();
    instances = [];
  });
  afterEach(async () => {
    await Promise.all(instances.map((one) => one.stop()));
    await books.close();
  });

  const start = (ledger: RailNotifications) => {
    const instance = books.instance(ledger);
    instances.push(instance);
    return instance;
  };
  const tasksAreDone = () =>
    eventually(async () => (await books.owner.query('select 1 from sandbox.task')).length === 0, { within: 15_000 });

  it('is done by any process: a payment that another process has booked ends, and is notified once', async () => {
    const one = instruction(1_000n);
    await books.rail.send(one);
    const ledger = new Listener();
    for (let count = 0; count < 3; count += 1) start(ledger);
    await tasksAreDone();
    expect(ledger.heard).toEqual([`Settled ${one.paymentId}`]);
  });

  it('shares hundreds of payments among instances, and tells of each once, as scripted', async () => {
    const ledger = new Listener();
    for (let count = 0; count < 3; count += 1) start(ledger);
    const endings = [
      [100n, 'Settled'],
      [197n, 'Rejected'],
      [199n, 'Returned'],
    ] as const;
    const all = Array.from({ length: 300 }, (_, i) => ({ ...instruction(endings[i % 3]![0]), i }));
    await Promise.all(all.map((one) => books.rail.send(one)));
    await tasksAreDone();
    expect([...ledger.heard].sort()).toEqual(
      all.map(({ paymentId, i }) => `${endings[i % 3]![1]} ${paymentId}`).sort(),
    );
  });

  it('is retried until the ledger answers', async () => {
    const ledger = new Listener();
    ledger.failures = 3;
    start(ledger);
    const one = instruction(1_096n);
    await books.rail.send(one);
    await tasksAreDone();
    expect(ledger.failures).toBe(0);
    // In either order: a retried notification may be overtaken.
    expect([...ledger.heard].sort()).toEqual([`Settled ${one.paymentId}`, `sent back 548 of ${one.paymentId}`]);
  });

  it('tells of a payment whose process died before it could', async () => {
    const { payment } = await books.paymentsIn.book(null, 100n, PAYER);
    const ledger = new Listener('Returned');
    start(ledger);
    await tasksAreDone();
    expect(ledger.heard).toEqual([`paid ${payment.endToEndId}`]);
    await expect(books.paymentsIn.dispositionOf(payment.endToEndId)).resolves.toBe('Returned');
  });

  it('keeps the time of a payment of its own charge that is booked once more, as its first telling failed', async () => {
    const { paymentId } = instruction(100n);
    const book = async () => (await books.paymentsIn.bookOwn(paymentId, 'charge', 100n, PAYER)).payment;
    const first = await book();
    await expect(book()).resolves.toEqual(first);
    await expect(books.paymentsIn.find(first.endToEndId)).resolves.toEqual(first);
  });

  it("gives the payer the ledger's word, although the first telling failed", async () => {
    const ledger = new Listener('Returned');
    ledger.failures = 1;
    const { bank } = start(ledger);
    const paid = await bank.pay(null, 100n, PAYER);
    expect([paid.disposition, outcomeForPayer(paid)]).toEqual(['Returned', 'Returned']);
    expect(ledger.heard).toEqual([`paid ${paid.endToEndId}`]);
  });

  it('tells the ledger at once of what a payer pays, and once', async () => {
    const ledger = new Listener();
    const { bank } = start(ledger);
    const paid = await bank.pay(null, 100n, PAYER);
    expect(outcomeForPayer(paid)).toBe('Settled');
    await tasksAreDone();
    expect(ledger.heard).toEqual([`paid ${paid.endToEndId}`]);
  });

  it('drops its notifications in every process, or repeats them, as its behaviour says', async () => {
    const ledger = new Listener();
    const [one, other] = [start(ledger), start(ledger)];
    await one.behaviour.change({ notifications: 'drop' });
    await expect(other.bank.pay(null, 100n, PAYER)).resolves.toMatchObject({ disposition: null });
    const silent = instruction(100n);
    await books.rail.send(silent);
    await tasksAreDone();
    await expect(books.rail.query(silent.paymentId)).resolves.toMatchObject({ status: 'Settled' });
    expect(ledger.heard).toEqual([]);

    await other.behaviour.change({ notifications: 'deliver', copies: 3 });
    const paid = await one.bank.pay(null, 100n, PAYER);
    expect(ledger.heard).toEqual(Array.from({ length: 3 }, () => `paid ${paid.endToEndId}`));
  });
});
