import { expect } from '@jest/globals';
import {
  type Account,
  accountProjection,
  type Hold,
  holdProjection,
  systemAccount,
  systemAccountUid,
  taxpayer,
  type Transaction,
  transactionProjection,
} from '../../src/accounts/index.js';
import { AccountDeactivated, AccountOpened } from '../../src/accounts/domain/account.events.js';
import { creditAccount } from '../../src/accounts/domain/credit-account.decider.js';
import { evolvePayeeUses, type Payee, payeeOf, type PayeeUses, slotsOf } from '../../src/accounts/domain/payees.js';
import { contactKey, contactsOf, evolveContact, type SecureContact } from '../../src/accounts/domain/secure-contact.js';
import type { PayoutLimits } from '../../src/accounts/index.js';
import { contactProjection } from '../../src/accounts/contact.projection.js';
import { payeeUsesProjection } from '../../src/accounts/payee-uses.projection.js';
import {
  type Contradiction,
  type InlineProjection,
  LoadedRows,
  type NewEvent,
  newId,
  Personal,
  personal,
  type RecordedEvent,
} from '../../src/event-store/index.js';

export const PARTITION = 1;
export const PARTNER = newId(0);
export const ACCOUNT = newId(PARTITION);
const SETTLEMENT = systemAccountUid(PARTNER, PARTITION, 'pix-settlement');
const FEES = systemAccountUid(PARTNER, PARTITION, 'fees');
const FUNDING = systemAccountUid(PARTNER, PARTITION, 'operator-funding');
/** Tax number of the account's holder. */
export const HOLDER = '11222333000181';
const someone = taxpayer(PARTNER, HOLDER);

/** A ledger in memory: the same events, folded by the very functions that fold the real one. Nothing is encrypted. */
export class World {
  readonly events: RecordedEvent[] = [];
  /** What `verify` would tell of the events. */
  readonly contradictions: Contradiction[] = [];
  readonly #accounts = new Map<string, Account>();
  readonly #transactions = new Map<string, Transaction>();
  readonly #holds = new Map<string, Hold>();
  readonly #uses = new Map<string, PayeeUses>();
  readonly #contacts = new Map<string, SecureContact>();

  append(made: readonly NewEvent[], at: Date): RecordedEvent[] {
    const recorded = made.map((event, i) => ({
      ...event,
      partition: PARTITION,
      position: BigInt(this.events.length + i + 1),
      id: newId(PARTITION),
      time: at,
      data: atRest(event.data as Record<string, unknown>),
      metadata: { actor: 'test' },
    }));
    for (const event of recorded) {
      this.#apply(accountProjection, this.#accounts, event);
      this.#apply(holdProjection, this.#holds, event);
      this.#apply(transactionProjection, this.#transactions, event);
    }
    for (const event of recorded) {
      for (const id of slotsOf(event)) this.#uses.set(id, evolvePayeeUses(this.#uses.get(id), event, id));
      for (const id of contactsOf(event)) this.#contacts.set(id, evolveContact(this.#contacts.get(id), event, id));
    }
    this.events.push(...recorded);
    return recorded;
  }

  #apply<Row>(projection: InlineProjection<Row>, rows: Map<string, Row>, event: RecordedEvent): void {
    for (const key of projection.keysOf(event)) {
      // Of accounts, their own specifications ask: limits have actors, and there are none here.
      const found = projection.name !== 'accounts' && projection.contradicts?.(rows.get(key), event, key);
      if (found) this.contradictions.push(found);
      rows.set(key, projection.evolve(rows.get(key), event, key));
    }
  }

  /** The payee of a tax number; `''` is nobody known. */
  payee(taxNumber: string): (limits: PayoutLimits) => Payee {
    const rows = new LoadedRows([payeeUsesProjection, contactProjection]);
    for (const row of this.#uses) rows.of(payeeUsesProjection).set(...row);
    for (const row of this.#contacts) rows.of(contactProjection).set(...row);
    const asked = { taxNumber, subject: taxpayer(PARTNER, taxNumber), holder: HOLDER };
    return (limits) =>
      payeeOf(this.account, limits, asked, rows, { subject: ({ clear }) => clear, isRead: () => true });
  }

  contact(taxNumber: string): SecureContact | undefined {
    return this.#contacts.get(contactKey(ACCOUNT, taxpayer(PARTNER, taxNumber).clear));
  }

  get slots(): readonly PayeeUses[] {
    return [...this.#uses.values()];
  }

  get account(): Account {
    return this.#accounts.get(ACCOUNT)!;
  }

  get settlement() {
    return systemAccount(this.#accounts, SETTLEMENT, 'pix-settlement');
  }

  get fees() {
    return systemAccount(this.#accounts, FEES, 'fees');
  }

  get funding() {
    return systemAccount(this.#accounts, FUNDING, 'operator-funding');
  }

  get accounts(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  get transactions(): readonly Transaction[] {
    return [...this.#transactions.values()];
  }

  transaction(id: string): Transaction {
    return this.#transactions.get(id)!;
  }

  hold(id: string): Hold {
    return this.#holds.get(id)!;
  }
}

function atRest(data: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(data).map(([name, value]) => [
    name,
    value instanceof Personal ? { subject: value.subject.clear, sealed: JSON.stringify(value.value) } : value,
  ]);
  return Object.fromEntries(members);
}

export const START = new Date('2026-11-20T15:00:00.000Z');

/** An open account with money. @param centavos what the operator funded it with */
export function funded(centavos: bigint): (world: World) => readonly NewEvent[] {
  return (world) => {
    const holder = { name: 'Loja', taxNumber: HOLDER, branch: '0001', number: '100001', digit: '4' };
    const opened = { uid: ACCOUNT, partnerUid: PARTNER, holder: personal(someone, holder) };
    world.append(
      [AccountOpened.create(`account-${ACCOUNT}`, 1, { ...opened, type: 'PaymentAccount', class: 'Standard' })],
      START,
    );
    return centavos === 0n ? [] : credited(centavos)(world);
  };
}

export const credited = (centavos: bigint) => (world: World) =>
  creditAccount(world, { id: newId(PARTITION), amount: centavos, reason: personal(someone, 'Test') });

export const deactivated = (world: World): readonly NewEvent[] => [
  AccountDeactivated.create(`account-${ACCOUNT}`, world.account.version + 1, {
    uid: ACCOUNT,
    reason: personal(someone, 'Test'),
  }),
];

export type Decision = (world: World, at: Date) => readonly NewEvent[];

/** Rows that somebody changes for a moment. */
export interface ChangedRows {
  readonly transactions?: Readonly<Record<string, Partial<Transaction>>>;
  readonly holds?: Readonly<Record<string, Partial<Hold>>>;
  /** The account that is read instead. */
  readonly account?: string;
}

/** A decision that is made while rows are changed. */
export function whileRowsAre(changed: ChangedRows, decide: Decision): Decision {
  return (world, at) => {
    const read = {
      ...{ settlement: world.settlement, fees: world.fees },
      account: changed.account ? world.accounts.find(({ uid }) => uid === changed.account)! : world.account,
      transaction: (id: string) => ({ ...world.transaction(id), ...changed.transactions?.[id] }),
      hold: (id: string) => ({ ...world.hold(id), ...changed.holds?.[id] }),
    };
    return decide(read as unknown as World, at);
  };
}

type MoneyOn = Partial<Pick<Account, 'available'>>;

/** A decision on balances that no history here can bring about. */
export function whileBalancesAre(
  changed: { readonly account?: MoneyOn; readonly settlement?: MoneyOn; readonly fees?: MoneyOn },
  decide: Decision,
): Decision {
  return (world, at) => {
    const account = { ...world.account, ...changed.account };
    const [settlement, fees] = [
      { ...world.settlement, ...changed.settlement },
      { ...world.fees, ...changed.fees },
    ];
    const read = { account, settlement, fees, transaction: (id: string) => world.transaction(id) };
    return decide(read as unknown as World, at);
  };
}

/** `given(…what happened).when(command).then(…events)`: a decider's specification. */
export function given(...history: Decision[]) {
  const world = new World();
  for (const decide of history) world.append(decide(world, START), START);
  const decided = (decide: Decision, at: Date) => {
    const made = decide(world, at);
    return world.append(made, at);
  };
  return {
    when: (decide: Decision, at = START) => ({
      /** Exactly these events, each with at least these data. */
      then: (...expected: readonly { readonly type: string; readonly data?: object }[]): World => {
        expect(decided(decide, at)).toMatchObject(expected);
        expect(world.contradictions).toEqual([]);
        return world;
      },
      /** Events that `verify` tells of: what it finds first. */
      thenContradicted: (field: string, what: { readonly expected?: unknown; readonly found?: unknown } = {}): void => {
        expect(world.contradictions).toEqual([]);
        decided(decide, at);
        expect(world.contradictions[0]).toMatchObject({ field, ...what });
      },
      thenNothing: (): void => expect(decided(decide, at)).toEqual([]),
      thenRefused: (name: string, reason: string): void => {
        let refusal: unknown;
        try {
          decide(world, at);
        } catch (error) {
          refusal = error;
        }
        expect(refusal).toMatchObject({ name, details: { reason } });
      },
    }),
  };
}
