import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import {
  ChangeAccountStatus,
  ChangePartnerSettings,
  CreditAccount,
  DestinationAccountIsNotActive,
  OpenAccount,
  RegisterPartner,
  Registry,
} from '../../src/accounts/index.js';
import type { Principal } from '../../src/auth/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { AppError } from '../../src/platform/errors/index.js';
import { RequestTransfer } from '../../src/transfers/commands/request-transfer/request-transfer.command.js';
import { nextCnpj } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { type InProcessOwning, liveRows, replayedRows, startWithDatabase } from '../support/in-process.js';

let service: InProcessOwning;

beforeAll(async () => {
  service = await startWithDatabase();
});

afterAll(() => service.close());

/** The simplest ledger that could be right: what each account has, and which keys were used. */
interface Model {
  readonly balances: bigint[];
  readonly active: boolean[];
  minimum: bigint;
  readonly keys: Map<string, string>;
}

type Step =
  | {
      kind: 'transfer';
      from: number;
      to: number;
      amount: bigint;
      key: string | undefined;
      description: string | undefined;
    }
  | { kind: 'credit'; to: number; amount: bigint }
  | { kind: 'status'; account: number; change: 'activate' | 'deactivate' }
  | { kind: 'minimum'; amount: bigint };

const ACCOUNTS = 4;
const account = fc.nat(ACCOUNTS - 1);
const amount = fc.bigInt(1n, 5_000n);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      from: account,
      to: account,
      amount,
      key: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined, freq: 3 }),
      description: fc.option(fc.constantFrom('Aluguel', 'Ação "1"'), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('credit' as const), to: account, amount }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      account,
      change: fc.constantFrom('activate' as const, 'deactivate' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('minimum' as const), amount: fc.bigInt(1n, 200n) }) },
);

async function newPartner(): Promise<{ uid: string; accounts: string[] }> {
  const commands = service.app.get(CommandBus);
  const taxNumber = nextCnpj();
  const { uid } = await commands.execute(new RegisterPartner('Teste', taxNumber, 'operator:test'));
  const accounts: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    accounts.push((await commands.execute(new OpenAccount(uid, { name: 'Teste', taxNumber }, 'operator:test'))).uid);
  }
  return { uid, accounts };
}

/** What the model says a transfer does: `undefined` when it is refused. */
function expected(
  model: Model,
  { from, to, amount: value, key }: Extract<Step, { kind: 'transfer' }>,
  request: string,
) {
  const earlier = key && model.keys.get(`${from}/${key}`);
  if (earlier !== undefined && earlier !== '') return earlier === request ? 'replayed' : undefined;
  if (value < model.minimum || !model.active[from] || from === to || !model.active[to]) return undefined;
  return model.balances[from]! >= value ? 'settled' : undefined;
}

async function play(partner: { uid: string; accounts: string[] }, model: Model, one: Step): Promise<void> {
  const commands = service.app.get(CommandBus);
  if (one.kind === 'credit') {
    const credit = commands.execute(new CreditAccount(partner.accounts[one.to]!, one.amount, 'Teste', 'operator:test'));
    if (!model.active[one.to]) return expect(credit).rejects.toThrow(DestinationAccountIsNotActive);
    await credit;
    model.balances[one.to]! += one.amount;
  } else if (one.kind === 'status') {
    await commands.execute(
      new ChangeAccountStatus(partner.accounts[one.account]!, one.change, 'Teste', 'operator:test'),
    );
    model.active[one.account] = one.change === 'activate';
  } else if (one.kind === 'minimum') {
    const changes = { transferMinimum: one.amount.toString() };
    await commands.execute(new ChangePartnerSettings(partner.uid, changes, 'operator:test'));
    model.minimum = one.amount;
  } else {
    const accountUid = partner.accounts[one.from]!;
    const caller = {
      accessKey: 'k',
      accountUid,
      partnerUid: partner.uid,
      partition: partitionOf(accountUid)!,
      permissions: [],
    };
    const request = JSON.stringify([one.to, one.amount.toString(), one.description]);
    const idempotency = one.key === undefined ? undefined : { key: one.key, request };
    const outcome = expected(model, one, request);
    const result = await commands
      .execute(
        new RequestTransfer(
          caller as Principal,
          partner.accounts[one.to]!,
          one.amount,
          one.description,
          'r',
          idempotency,
        ),
      )
      .catch((error: unknown) => {
        if (error instanceof AppError && error.status < 500) return undefined;
        throw error;
      });
    expect(result && (result.replayed ? 'replayed' : 'settled')).toBe(outcome);
    if (outcome === 'settled') {
      model.balances[one.from]! -= one.amount;
      model.balances[one.to]! += one.amount;
      if (one.key) model.keys.set(`${one.from}/${one.key}`, request);
    }
  }
}

describe('any sequence of commands', () => {
  it('keeps live projections equal to replayed ones and to a simple model, after each command', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const partner = await newPartner();
        const model: Model = {
          balances: Array(ACCOUNTS).fill(0n),
          active: Array(ACCOUNTS).fill(true),
          minimum: 100n,
          keys: new Map(),
        };
        for (const one of steps) {
          await play(partner, model, one);
          const registry = service.app.get(Registry, { strict: false });
          const accounts = await Promise.all(partner.accounts.map((uid) => registry.account(uid)));
          expect(accounts.map(({ available }) => available)).toEqual(model.balances);
          expect(accounts.map(({ status }) => status === 'Active')).toEqual(model.active);
          expect(await liveRows(service)).toEqual(await replayedRows(service));
        }
        await assertLedgerSound(service.owner);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
