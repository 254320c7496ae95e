import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentInstruction, RailParty, Received } from '../../src/pix/rails/pix-rail.js';
import { RailUnavailable } from '../../src/pix/rails/rail-errors.js';
import { makeEndToEndId } from '../../src/pix/domain/values/end-to-end-id.js';
import { openSandboxBooks, type SandboxBooks } from '../support/sandbox-books.js';

const PAYER: RailParty = {
  name: 'Fulano Inconfundivel',
  taxNumber: '52998224725',
  ispb: '99999008',
  branch: '0001',
  number: '7654321',
  digit: '0',
  type: 'CheckingsAccount',
};
const EPOCH = new Date(0);
const NEVER = new Date('2999-01-01T00:00:00Z');

const id = (prefix: 'E' | 'D') =>
  makeEndToEndId({ prefix, ispb: '12345678', at: new Date(), partition: 1, random: randomBytes(8) });
const newTxid = () => randomUUID().replaceAll('-', '');

const charge = (expiresIn = 60_000) => {
  const txid = newTxid();
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + expiresIn);
  const told = { debtor: { name: '', taxNumber: '' }, orderId: 'pedido-1', description: '' };
  return { txid, location: `pix.exemplo.br/pix/payload/${txid}`, amount: 1_000n, createdAt, expiresAt, ...told };
};

const instruction = (amount: bigint): PaymentInstruction => ({
  paymentId: id('E'),
  amount,
  payee: { name: 'Conceicao Inconfundivel', taxNumber: '11144477735' },
  payer: PAYER,
});

describe('the sandbox behind the port of the rail', () => {
  let books: SandboxBooks;
  beforeAll(async () => (books = await openSandboxBooks()));
  afterAll(() => books.close());

  const tasksFor = (subject: string) =>
    books.owner.query<{ kind: string; payload: object }>('select kind, payload from sandbox.task where subject = $1', [
      subject,
    ]);

  describe('payments that are sent', () => {
    it('takes one EndToEndId in once, however often and however many at a time it is sent', async () => {
      const one = instruction(1_000n);
      const answers = await Promise.all(Array.from({ length: 20 }, () => books.rail.send(one)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['Pending']));
      const rows = await books.owner.query('select 1 from sandbox.payment_out where end_to_end_id = $1', [
        one.paymentId,
      ]);
      expect(rows).toHaveLength(1);
    });

    it('plans the end together with the payment, so that no crash can part them', async () => {
      const one = instruction(1_097n);
      await books.rail.send(one);
      await expect(tasksFor(one.paymentId)).resolves.toEqual([
        { kind: 'Settle', payload: { status: 'Rejected', code: 'AC07' } },
      ]);
    });

    it('plans nothing for a payment that waits to be forced', async () => {
      const one = instruction(1_098n);
      await books.rail.send(one);
      await expect(tasksFor(one.paymentId)).resolves.toEqual([]);
      await expect(books.rail.query(one.paymentId)).resolves.toEqual({ status: 'Pending' });
    });

    it('gives a repeated instruction the outcome that the first one had', async () => {
      const one = instruction(1_000n);
      await books.rail.send(one);
      const at = new Date();
      await books.paymentsOut.end(one.paymentId, { status: 'Settled' }, at);
      const settled = { status: 'Settled', at, payee: one.payee };
      await expect(books.rail.send(one)).resolves.toEqual(settled);
      await expect(books.rail.query(one.paymentId)).resolves.toEqual(settled);
    });

    it('ends a payment once: of several orders at once one moves it, and all learn its end', async () => {
      const one = instruction(1_098n);
      await books.rail.send(one);
      const ends = await Promise.all(
        (['Rejected', 'Returned', 'Rejected'] as const).map((status) =>
          books.paymentsOut.end(one.paymentId, { status, code: 'AC07' }, new Date()),
        ),
      );
      expect(ends.filter(({ moved }) => moved)).toHaveLength(1);
      const { outcome } = ends.find(({ moved }) => moved)!;
      expect(new Set(ends.map((end) => JSON.stringify(end.outcome)))).toEqual(new Set([JSON.stringify(outcome)]));
      await expect(books.rail.query(one.paymentId)).resolves.toEqual(outcome);
    });

    it('does not know what was never sent', async () => {
      await expect(books.rail.query(id('E'))).resolves.toEqual({ status: 'Unknown' });
    });

    it('names the account behind a key that was paid without one', async () => {
      const one = { ...instruction(1_000n), key: { type: 'EMAIL', value: 'a@example.com' } as const };
      await books.rail.send(one);
      const { outcome } = await books.paymentsOut.end(one.paymentId, { status: 'Settled' }, new Date());
      expect(outcome).toMatchObject({ payee: { ...one.payee, ispb: '99999008', branch: '0001' } });
    });
  });

  describe('charges', () => {
    it('makes many at once, each to be found at its location', async () => {
      const charges = Array.from({ length: 300 }, () => charge());
      await Promise.all(charges.map((one) => books.rail.createCharge(one)));
      const rows = await books.owner.query<{ count: string }>(
        `select count(*) from sandbox.charge where status = 'Open' and location = any($1)`,
        [charges.map(({ location }) => location)],
      );
      expect(rows[0]!.count).toBe('300');
    });

    it('keeps a charge closed that was closed before it was made', async () => {
      const one = charge();
      await expect(books.rail.cancelCharge(one.txid)).resolves.toEqual({ status: 'Cancelled' });
      await books.rail.createCharge(one);
      const [row] = await books.owner.query('select status from sandbox.charge where txid = $1', [one.txid]);
      expect(row).toEqual({ status: 'Closed' });
      await books.paymentsIn.book(one.txid, one.amount, PAYER);
      await expect(books.rail.cancelCharge(one.txid)).resolves.toEqual({ status: 'Cancelled' });
    });

    it('makes a charge once: a repetition does not open a paid one again', async () => {
      const one = charge();
      await Promise.all([books.rail.createCharge(one), books.rail.createCharge(one)]);
      const { payment } = await books.paymentsIn.book(one.txid, one.amount, PAYER);
      await books.rail.createCharge(one);
      await expect(books.rail.cancelCharge(one.txid)).resolves.toEqual({ status: 'Paid', payment });
    });

    it('tells who paid when a paid charge is to be closed, and means the first payment', async () => {
      const one = charge();
      await books.rail.createCharge(one);
      const { payment } = await books.paymentsIn.book(one.txid, one.amount, PAYER);
      await books.paymentsIn.book(one.txid, one.amount, PAYER);
      await expect(books.rail.cancelCharge(one.txid)).resolves.toEqual({ status: 'Paid', payment });
    });

    it('does not count a payment after the end as one in time', async () => {
      const one = charge(-1);
      await books.rail.createCharge(one);
      await books.paymentsIn.book(one.txid, one.amount, PAYER);
      await expect(books.rail.cancelCharge(one.txid)).resolves.toEqual({ status: 'Cancelled' });
    });

    it('lets a payment and a closing at the same time agree on who was first', async () => {
      for (let round = 0; round < 20; round += 1) {
        const one = charge();
        await books.rail.createCharge(one);
        const [{ payment }, closing] = await Promise.all([
          books.paymentsIn.book(one.txid, one.amount, PAYER),
          books.rail.cancelCharge(one.txid),
        ]);
        await expect(books.rail.cancelCharge(one.txid)).resolves.toEqual(closing);
        expect([{ status: 'Cancelled' }, { status: 'Paid', payment }]).toContainEqual(closing);
      }
    });
  });

  describe('refunds', () => {
    const paid = async (amount: bigint) => (await books.paymentsIn.book(null, amount, PAYER)).payment.endToEndId;
    const refund = (endToEndId: string, amount: bigint, returnId = id('D')) =>
      books.rail.refund({ returnId, endToEndId, amount, code: 'MD06' });

    it('gives back in parts, up to what came in and no more', async () => {
      const payment = await paid(1_000n);
      await expect(refund(payment, 600n)).resolves.toMatchObject({ status: 'Settled' });
      await expect(refund(payment, 401n)).resolves.toMatchObject({ status: 'Rejected', code: 'AM02' });
      await expect(refund(payment, 400n)).resolves.toMatchObject({ status: 'Settled' });
      await expect(refund(payment, 1n)).resolves.toMatchObject({ status: 'Rejected' });
    });

    it('carries one return identifier out once, and answers a repetition alike', async () => {
      const payment = await paid(1_000n);
      const returnId = id('D');
      const answers = await Promise.all(Array.from({ length: 8 }, () => refund(payment, 600n, returnId)));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]).toMatchObject({ status: 'Settled' });
      await expect(books.rail.queryRefund({ returnId })).resolves.toEqual(answers[0]);
    });

    it('lets two at once not take more than there is', async () => {
      const payment = await paid(1_000n);
      const answers = await Promise.all(Array.from({ length: 6 }, () => refund(payment, 600n)));
      expect(answers.filter(({ status }) => status === 'Settled')).toHaveLength(1);
    });

    it('refuses to give back what never came', async () => {
      await expect(refund(id('E'), 1n)).resolves.toMatchObject({ status: 'Rejected' });
      await expect(books.rail.queryRefund({ returnId: id('D') })).resolves.toEqual({ status: 'Unknown' });
    });
  });

  describe('what happened', () => {
    it('lists everything that came in once, oldest first, over several pages', async () => {
      const other = await openSandboxBooks();
      try {
        const payments = 1_203;
        const ids = Array.from({ length: payments }, () => id('E'));
        // Five at each millisecond, so that pages end between payments of the same time.
        const at = ids.map((_, i) => new Date(1_800_000_000_000 + Math.floor(i / 5)));
        await other.owner.query(
          `insert into sandbox.payment_in (end_to_end_id, txid, amount, payer, at)
           select n.id, null, 100, n.payer, n.at
           from unnest($1::text[], $2::bytea[], $3::timestamptz[]) as n (id, payer, at)`,
          [ids, ids.map((one) => other.box.seal(one, PAYER)), at],
        );
        const out = instruction(1_096n);
        await other.rail.send(out);
        await other.paymentsOut.end(out.paymentId, { status: 'Settled' }, at[700]!);
        await other.refunds.planReturn(out.paymentId, 548n, at[700]!);
        const [planned] = await other.owner.query<{ return_id: string }>('select return_id from sandbox.refund_in');
        const before = await other.rail.receivedBetween(EPOCH, NEVER, null);
        expect(before.items.every(({ kind }) => kind === 'Payment')).toBe(true);
        const returned = await other.refunds.sendBack(planned!.return_id);

        const received: Received[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof other.rail.receivedBetween>> = await other.rail.receivedBetween(
            EPOCH,
            NEVER,
            cursor,
          );
          received.push(...page.items);
          cursor = page.nextCursor;
        } while (cursor !== null);
        const found = received.map((one) => {
          if (one.kind === 'PaymentEnded') throw new Error('the sandbox tells ends by notification alone');
          return one.kind === 'Payment'
            ? { id: one.payment.endToEndId, at: one.payment.at }
            : { id: one.returned.returnId, at: one.returned.at };
        });
        expect(new Set(found.map(({ id }) => id))).toEqual(new Set([...ids, returned.returnId]));
        expect(found).toHaveLength(payments + 1);
        const times = found.map(({ at }) => at.getTime());
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(received.find(({ kind }) => kind === 'Payment')).toMatchObject({ payment: { payer: PAYER } });

        const day = await other.rail.movementsBetween(at[700]!, new Date(at[700]!.getTime() + 1), null);
        expect(day.items.map(({ kind, amount }) => [kind, amount]).sort()).toEqual([
          ...Array.from({ length: 5 }, () => ['PaymentIn', 100n]),
          ['PaymentOut', 1_096n],
        ]);
        expect(day.nextCursor).toBeNull();
      } finally {
        await other.close();
      }
    });

    it('counts movements of all four kinds, and only those that took place', async () => {
      const other = await openSandboxBooks();
      try {
        const [settled, refused] = [instruction(1_096n), instruction(1_097n)];
        await Promise.all([other.rail.send(settled), other.rail.send(refused)]);
        await other.paymentsOut.end(settled.paymentId, { status: 'Settled' }, new Date());
        await other.paymentsOut.end(refused.paymentId, { status: 'Rejected', code: 'AC07' }, new Date());
        await other.refunds.planReturn(settled.paymentId, 548n, new Date());
        const [planned] = await other.owner.query<{ return_id: string }>('select return_id from sandbox.refund_in');
        await other.refunds.sendBack(planned!.return_id);
        const { payment } = await other.paymentsIn.book(null, 700n, PAYER);
        const returnId = id('D');
        await other.rail.refund({ returnId, endToEndId: payment.endToEndId, amount: 300n, code: 'MD06' });
        await other.rail.refund({ returnId: id('D'), endToEndId: payment.endToEndId, amount: 401n, code: 'MD06' });

        const { items } = await other.rail.movementsBetween(EPOCH, NEVER, null);
        expect(new Set(items.map((one) => `${one.kind} ${one.id} ${one.amount}`))).toEqual(
          new Set([
            `PaymentIn ${payment.endToEndId} 700`,
            `PaymentOut ${settled.paymentId} 1096`,
            `RefundOut ${returnId} 300`,
            `RefundIn ${planned!.return_id} 548`,
          ]),
        );
        expect(items).toHaveLength(4);
      } finally {
        await other.close();
      }
    });
  });

  it('keeps nobody in clear in its books', async () => {
    await books.rail.send(instruction(1_000n));
    await books.paymentsIn.book(null, 100n, PAYER);
    const tables = await books.owner.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'sandbox'`,
    );
    expect(tables.length).toBeGreaterThan(5);
    const dumps = await Promise.all(
      tables.map(({ name }) => books.owner.query(`select t.*, t::text as line from sandbox.${name} t`)),
    );
    const everything = dumps
      .flat()
      .flatMap((row) =>
        Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))),
      )
      .join('\n');
    expect(everything).toContain('Settle');
    for (const clear of ['Inconfundivel', '52998224725', '11144477735', '7654321']) {
      expect(everything).not.toContain(clear);
    }
  });

  it('is a rail that does not answer while its database is unreachable', async () => {
    const other = await openSandboxBooks();
    await other.close();
    const ask = () => other.rail.query(id('E'));
    await expect(ask()).rejects.toThrow(RailUnavailable);
    await expect(other.rail.createCharge(charge())).rejects.toThrow(RailUnavailable);
    await expect(
      other.rail.refund({ returnId: id('D'), endToEndId: id('E'), amount: 1n, code: 'MD06' }),
    ).rejects.toThrow(RailUnavailable);
  });
});
