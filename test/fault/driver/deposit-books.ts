import { assertLedgerSound } from '../../support/audit.js';
import type { TestDatabase } from '../../support/database.js';
import type { ModelPsp } from '../../support/model-psp.js';
import { tellEvents } from '../../support/told-events.js';
import type { DepositPlays } from './deposit-plays.js';

/**
 * Every payment and every return, in the PSP's books and in the ledger. @returns what is wrong, and what became of them
 */
export async function compared(database: TestDatabase, psp: ModelPsp, { ids, due, refunds }: DepositPlays) {
  const wrong: string[] = [];
  await tellEvents(database);
  const rows = await database.query<{ id: string; type: string; state: string; amount: string; e2e: string | null }>(
    `select id, type, state, amount::text, end_to_end_id as e2e from transaction`,
  );
  const events = await database.query<{ type: string; e2e: string }>(`
    select type, coalesce(data->>'endToEndId', data->'payment'->>'endToEndId') as e2e from told.event
    where type in ('PaymentReturnSettled', 'PaymentReturnRefused', 'UnmatchedPaymentReceived')`);
  const told = (type: string, e2e: string) => events.filter((one) => one.type === type && one.e2e === e2e).length;
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const cashIns = rows.filter(({ type }) => type === 'CashIn');
  const creditedBy = new Map(cashIns.filter(({ state }) => state === 'Completed').map((row) => [row.e2e, row]));
  const refundOf = new Map(rows.filter(({ type }) => type === 'Refund').map((row) => [row.e2e, row]));
  const payments = { credited: 0, returned: 0, refused: 0, unmatched: 0 };

  if (new Set(ids).size !== ids.length) wrong.push('two answers name one deposit');
  if (cashIns.length !== ids.length) wrong.push(`${cashIns.length} deposits in the ledger, ${ids.length} accepted`);
  for (const id of due) if (rowOf.get(id)?.state !== 'Completed') wrong.push(`${id}, paid, is ${rowOf.get(id)?.state}`);
  for (const { endToEndId, txid, valor, devolucoes } of psp.books.pix.values()) {
    const credited = creditedBy.get(endToEndId);
    const back = devolucoes.filter(({ status }) => status === 'DEVOLVIDO');
    if (devolucoes.some(({ status }) => status === 'EM_PROCESSAMENTO')) wrong.push(`${endToEndId} is being returned`);
    if (credited) {
      payments.credited += 1;
      creditedBy.delete(endToEndId);
      if (Number(credited.amount) !== centavos(valor)) wrong.push(`${endToEndId} of ${valor} gave ${credited.amount}`);
      for (const { id, status } of devolucoes) {
        const ends = refundOf.get(id)?.state;
        refundOf.delete(id);
        if (ends !== (status === 'DEVOLVIDO' ? 'Completed' : 'Error')) wrong.push(`${id} is ${ends}, there ${status}`);
      }
      continue;
    }
    const [settled, refused] = [told('PaymentReturnSettled', endToEndId), told('PaymentReturnRefused', endToEndId)];
    const sum = back.reduce((total, one) => total + centavos(one.valor), 0);
    if (settled === 1 && refused === 0 && back.length === 1 && sum === centavos(valor)) payments.returned += 1;
    else if (refused === 1 && settled === 0 && devolucoes.length === 1 && sum === 0) payments.refused += 1;
    else if (txid === undefined && devolucoes.length === 0 && told('UnmatchedPaymentReceived', endToEndId) === 1)
      payments.unmatched += 1;
    else
      wrong.push(`${endToEndId} of ${txid}: returned ${sum} of ${valor}; here ${settled} settled, ${refused} refused`);
  }
  for (const e2e of creditedBy.keys()) wrong.push(`${e2e} was credited, and the PSP does not know it`);
  for (const { id, state } of refundOf.values()) wrong.push(`the refund ${id} is ${state}, and the PSP has none`);
  for (const id of refunds) if (!rowOf.has(id)) wrong.push(`the refund ${id} is gone`);
  const [left] = await database.query<{ n: number }>(
    `select count(*)::int as n from work where kind in ('pix-return-payment', 'pix-send-refund')`,
  );
  if (left!.n > 0) wrong.push(`${left!.n} returns are not done`);
  wrong.push(...psp.violations);
  await assertLedgerSound(database).catch((error: unknown) => wrong.push((error as Error).message));
  return { wrong, payments, refunds: rows.filter(({ type }) => type === 'Refund').length };
}

function centavos(amount: string): number {
  return Math.round(Number(amount) * 100);
}
