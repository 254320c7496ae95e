import { Registry, accountProjection, systemAccount, systemAccountUid } from '../../src/accounts/index.js';
import { creditAccount } from '../../src/accounts/domain/credit-account.decider.js';
import { Ledger, newId, partitionOf, personal } from '../../src/event-store/index.js';
import { startInProcess } from './in-process.js';
import type { LedgerCopy } from './ledger-fixture.js';

/** What a lost answer to COMMIT did once: the same credit of an account, decided and appended twice. @returns its id */
export async function payTwice(copy: LedgerCopy, uid: string): Promise<string> {
  const service = await startInProcess(copy, copy.env);
  const { app } = service;
  try {
    const { partnerUid, owner } = await app.get(Registry, { strict: false }).facts(uid);
    const partition = partitionOf(uid)!;
    const id = newId(partition);
    const funding = systemAccountUid(partnerUid, partition, 'operator-funding');
    for (const _time of [1, 2]) {
      await app.get(Ledger, { strict: false }).execute({
        partition,
        reads: { accounts: [uid, funding] },
        subjects: [owner],
        decide: (rows) => {
          const accounts = rows.of(accountProjection);
          const state = { account: accounts.get(uid)!, funding: systemAccount(accounts, funding, 'operator-funding') };
          return creditAccount(state, { id, amount: 100n, reason: personal(owner, 'Twice') });
        },
        metadata: { actor: 'operator', correlation: id },
      });
    }
    return id;
  } finally {
    await service.close();
  }
}
