/** The columns of a CSV, and what each is in the body of the single route. */
export const COLUMNS = {
  value: 'payment.value',
  keyType: 'payment.key.type',
  key: 'payment.key.value',
  name: 'payment.recipient.name',
  cpf: 'payment.recipient.cpf',
  ispb: 'payment.recipient.account.ispb',
  branch: 'payment.recipient.account.branch',
  number: 'payment.recipient.account.number',
  digit: 'payment.recipient.account.digit',
  type: 'payment.recipient.account.type',
  orderId: 'transaction.orderId',
  orderDescription: 'transaction.orderDescription',
  webhookUrl: 'webhook.url',
} as const;

export const REQUIRED_COLUMNS = ['value', 'cpf', 'orderId'] as const;

const PATHS = Object.entries(COLUMNS).map(([name, path]) => ({ name, members: path.split('.') }));
const BY_PATH = new Map(Object.entries(COLUMNS).map(([name, path]) => [path as string, name]));
/** A missing object is a fault of its first column. */
const OF_OBJECTS = new Map([
  ['payment', 'value'],
  ['payment.key', 'key'],
  ['payment.recipient', 'cpf'],
  ['payment.recipient.account', 'number'],
  ['transaction', 'orderId'],
  ['webhook', 'webhookUrl'],
]);

export function columnOfPath(path: string): string | null {
  return BY_PATH.get(path) ?? OF_OBJECTS.get(path) ?? null;
}

/** The place of each column in a row; -1 for one that the file does not have. */
export type Header = ReadonlyMap<string, number>;

/** The body that a row asks for. An empty cell is absent. */
export function bodyOf(header: Header, row: readonly string[]): object {
  const body: Record<string, unknown> = { payment: {}, transaction: {} };
  for (const { name, members } of PATHS) {
    const place = header.get(name);
    const value = place === undefined ? undefined : row[place];
    if (value === undefined || value === '') continue;
    let object = body;
    for (const member of members.slice(0, -1)) object = (object[member] ??= {}) as Record<string, unknown>;
    object[members.at(-1)!] = value;
  }
  return body;
}
