import { call, OperatorApi, PartnerApi, type TestPartner } from './api.js';
import type { Audience, Route } from './api-document.js';
import { FROM_PAGE, signIn, type SignedIn } from './console.js';
import { eventually } from './eventually.js';
import { cashInBody, cashOutBody, withMember } from './pix-bodies.js';
import { ADMIN_TOKEN, type Service } from './service.js';

/** A partner with one of everything that an identifier can name. */
export interface Stocked {
  readonly partner: TestPartner;
  readonly session: PartnerApi;
  readonly auditor: { readonly id: string; readonly token: string };
  /** An operator, signed in at the console. */
  readonly console: SignedIn;
  readonly transfer: string;
  readonly openCashIn: string;
  readonly paidCashIn: string;
  readonly cashOut: string;
  readonly refund: string;
  readonly delivery: string;
  readonly endToEndId: string;
  /** An orderId that only this partner uses. */
  readonly orderId: string;
}

/** Makes one of everything. @param url where its webhooks go */
export async function stock(service: Service, orderId: string, url: string): Promise<Stocked> {
  const operator = new OperatorApi(service.url);
  const partner = await operator.partner(['1000.00', '100.00']);
  const session = await PartnerApi.login(service.url, partner.credentials);
  const auditor = await operator.post('/auditors', { name: 'One partner', partnerUid: partner.uid });
  const body = <T extends object>(one: T) =>
    withMember(withMember(one, 'transaction.orderId', orderId), 'webhook.url', url);
  const created = async (path: string, payload: object) => {
    const answer = await session.post(path, payload);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const anyPayer = withMember(body(cashInBody.account('20.00')), 'payment.payer', undefined);
  const paidCashIn = (await created('/accounts/pix/cashin', anyPayer)).transaction.id as string;
  await call(service.url, 'POST', `/sandbox/pix/transactions/${paidCashIn}/complete`);
  const openCashIn = (await created('/accounts/pix/cashin', anyPayer)).transaction.id as string;
  const cashOut = (await created('/accounts/pix/cashout', body(cashOutBody.key('5.98')))).transaction.id as string;
  await eventually(async () => (await stateOf(session, paidCashIn)).transaction.state === 'Completed');
  const refund = await created(`/accounts/pix/cashin/${paidCashIn}/refunds`, { amount: '1.00' });
  const transfer = await created('/accounts/transfer', {
    refAccountCredit: partner.accounts[1],
    transferAmount: '1.00',
  });
  // Nothing is left that would still happen by itself.
  const refundId = refund.transaction.id as string;
  await eventually(async () => (await stateOf(session, refundId)).transaction.state === 'Completed');
  const delivery = await eventually(async () => {
    const list = await session.get(`/webhooks/deliveries?transactionId=${paidCashIn}`);
    return list.body.data.items[0]?.id as string | undefined;
  });
  const { endToEndId } = (await stateOf(session, paidCashIn)).transaction;
  return {
    partner,
    session,
    auditor,
    console: await signIn(service.url, ADMIN_TOKEN),
    transfer: transfer.id,
    openCashIn,
    paidCashIn,
    cashOut,
    refund: refundId,
    delivery,
    endToEndId,
    orderId,
  };
}

async function stateOf(session: PartnerApi, id: string): Promise<any> {
  return (await session.get(`/accounts/transactions/${id}`)).body.data;
}

/** Every identifier of a partner, by what it names. */
export function identifiersOf(stocked: Stocked): Readonly<Record<string, string>> {
  const { partner, auditor, transfer, openCashIn, paidCashIn, cashOut, refund, delivery } = stocked;
  const [account, second] = partner.accounts as [string, string];
  const { accessKey } = partner.credentials;
  const named = { partner: partner.uid, account, second, accessKey, auditor: auditor.id };
  return { ...named, transfer, openCashIn, paidCashIn, cashOut, refund, delivery };
}

/** The token with which somebody calls the routes that are for them; those of the console have none. */
export function credentialFor(audience: Audience, { session, auditor }: Stocked): string | undefined {
  const tokens = { partner: session.token, operator: ADMIN_TOKEN, auditor: auditor.token };
  return audience in tokens ? tokens[audience as keyof typeof tokens] : undefined;
}

/** What makes a route let its caller in: a token, or a session of the console and where the request comes from. */
export function headersFor({ audience, path }: Route, stocked: Stocked): Record<string, string> {
  if (audience === 'console') return { ...FROM_PAGE, cookie: stocked.console.cookie };
  // Signing in and out: from the page, with the session of nobody.
  if (path.startsWith('/console/')) return FROM_PAGE;
  const token = credentialFor(audience, stocked);
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
