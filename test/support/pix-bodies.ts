/** The bodies of contract 2.4 and 2.5, each with every member. */

export const WEBHOOK = {
  url: 'http://127.0.0.1:65535/hook',
  customHeaderName: 'X-Api-Key',
  customHeaderValue: 'a secret of the partner',
};

const transaction = { orderId: 'order-1', orderDescription: 'Fornecedor' };
const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' };
const recipient = { name: 'Maria Silva', cpf: '529.982.247-25' };

/** By bank account, by key, and by a key that must belong to an account. */
export const cashOutBody = {
  account: (value = '10.50') => ({
    payment: { value, recipient: { ...recipient, account } },
    transaction,
    webhook: WEBHOOK,
  }),
  key: (value = '10.50') => ({
    payment: { value, key: { type: 'EMAIL', value: 'Maria@Example.com' }, recipient },
    transaction,
    webhook: WEBHOOK,
  }),
  keyAndAccount: (value = '10.50') => ({
    payment: { value, key: { type: 'cpf', value: '529.982.247-25' }, recipient: { ...recipient, account } },
    transaction,
    webhook: WEBHOOK,
  }),
};

/** With one payer's account, and with validation accounts. */
export const cashInBody = {
  account: (original = '10.50') => ({
    payment: {
      value: { original },
      payer: {
        name: 'Fulano de Tal',
        cpf: '52998224725',
        account: { ispb: '99999008', branch: '0001', number: '1234567', digit: '8' },
      },
    },
    transaction: { orderId: 'order-2', orderDescription: 'Pedido' },
    webhook: WEBHOOK,
  }),
  validationAccounts: (original = '10.50') => ({
    payment: {
      value: { original },
      payer: {
        name: 'Fulano de Tal',
        cpf: '52998224725',
        validationAccounts: [
          { ispb: '11111111', branch: '0001', number: '11111111' },
          { ispb: '99999008', branch: '0001', number: '1234567-8' },
          { ispb: '22222222', branch: '0002', number: '22222222' },
        ],
      },
    },
    transaction: { orderId: 'order-2', orderDescription: 'Pedido' },
    webhook: WEBHOOK,
  }),
};

/** A copy of a body with one member set, or, by `undefined`, taken away. */
export function withMember<T extends object>(body: T, path: string, value: unknown): T {
  const copy = structuredClone(body) as Record<string, any>;
  const names = path.split('.');
  const last = names.pop()!;
  const owner = names.reduce((inside, name) => (inside[name] ??= {}), copy);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy as T;
}
