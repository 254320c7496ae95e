import type { Answer } from './api.js';
import type { Route } from './api-document.js';

/** Something that exists, chosen when the request is sent: the n-th of what is known of a kind by then. */
export class Pick {
  constructor(
    readonly kind: string,
    readonly n: number,
    /** Part of a thing that has parts, `id/token`. */
    readonly part?: number,
  ) {}
}

/** What exists in a service, as far as its answers told: identifiers, codes and cursors by their kind. */
export class KnownThings {
  readonly #things = new Map<string, unknown[]>();
  #turn = 0;

  add(kind: string, ...things: readonly unknown[]): this {
    const known = this.#things.get(kind) ?? [];
    this.#things.set(kind, [...known, ...things.filter((one) => !known.includes(one))].slice(-KEPT));
    return this;
  }

  /** The value with everything that was picked in it put in its place. */
  resolve(value: unknown): unknown {
    if (value instanceof Pick) return this.#get(value);
    if (Array.isArray(value)) return value.map((one) => this.resolve(one));
    if (typeof value !== 'object' || value === null) return value;
    // Not by assignment: a member named `__proto__` is to be sent, not set.
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.resolve(inner)]));
  }

  /** Learns from a success answer; a dry run made nothing. @param path with its query, as it was called */
  learn(route: Route, path: string, { status, body, headers }: Answer): void {
    const data = (body as { data?: Record<string, any> } | undefined)?.data;
    if (status >= 300 || !data || data.dryRun === true) return;
    if (typeof data.nextCursor === 'string') {
      const [plain, query] = path.split('?') as [string, string | undefined];
      const next = new URLSearchParams(query);
      next.set('cursor', data.nextCursor);
      this.add(`page of ${route.name}`, `${plain}?${next}`);
    }
    const kind = LEARNT[route.name];
    if (kind) this.add(kind, data.transaction?.id ?? data.deliveryId ?? data.accessKey ?? data.id ?? data.uid);
    // Of those signed in, every other one is there to sign out.
    if (route.name === SIGN_IN) {
      this.add(this.#next(['session', 'session to end']), headers.get('set-cookie')?.split(';')[0]);
    }
    for (const one of route.name === 'get /partners-int/med' ? data.items : []) this.add('infraction', one.id);
    if (route.name === 'post /sandbox/pix/payments') this.add('payment', data.endToEndId);
    const ofAccount = OF_ACCOUNT[route.name];
    if (ofAccount) this.add(ofAccount, `${path.split('/')[3]}/${data.id}`);
    if (route.name.endsWith('/pix/cashin')) this.learnDeposit(data);
    // Others settle by themselves (decisions 10).
    if (route.method === 'post' && data.scheduledFor) this.add('for later', data.transaction?.id ?? data.id);
    if (route.name.endsWith('/pix/cashout')) this.add('payout', data.transaction.id);
    const isHeld = route.name.endsWith('/pix/cashout') && data.transaction.amount.endsWith('.98');
    if (isHeld || route.name.endsWith('/refunds')) this.add(this.#next(FORCES), data.transaction.id);
    for (const checkpoint of route.name === 'get /audit/checkpoints' ? data.items : []) {
      this.add('size', checkpoint.size);
    }
  }

  /** Each new deposit is for one thing, so that it is still open when its turn comes. */
  learnDeposit({ transaction: { id }, payment: { qrCode } }: Record<string, any>): void {
    const use = this.#next(['qrCode', 'deposit to cancel', 'deposit to show', ...FORCES]);
    this.add('transaction', id).add(use, use === 'qrCode' ? qrCode : id);
    if (use === 'deposit to show') this.add('txid', id.replaceAll('-', ''));
  }

  #next(kinds: readonly string[]): string {
    return kinds[this.#turn++ % kinds.length]!;
  }

  #get({ kind, n, part }: Pick): unknown {
    const isPage = kind.startsWith('page of ');
    const known = this.#things.get(kind) ?? (isPage ? [] : this.#things.get('anything')) ?? [];
    const thing = known[n % known.length];
    return part === undefined ? thing : String(thing).split('/')[part];
  }
}

const KEPT = 40;
const SIGN_IN = 'post /console/session';
const FORCES = ['payment to complete', 'payment to fail', 'payment to reverse'];

/** What is known by its account and its own id. */
const OF_ACCOUNT: Readonly<Record<string, string>> = {
  'post /admin/accounts/{uid}/holds': 'hold',
  'post /admin/accounts/{uid}/contacts': 'contact',
  'post /admin/partners/{uid}/cautionary-rules': 'cautionary rule',
};

/** What the answer of a route that makes something is a new one of. */
const LEARNT: Readonly<Record<string, string>> = {
  'post /admin/auditors': 'auditor',
  'post /admin/partners': 'expendable partner',
  'post /admin/partners/{uid}/accounts': 'expendable account',
  'post /admin/accounts/{uid}/access-keys': 'access key',
  'post /partners-int/accounts/transfer': 'transaction',
  'post /partners-int/accounts/pix/cashout': 'transaction',
  'post /partners-int/accounts/pix/cashin/{id}/refunds': 'transaction',
  'post /partners-int/payouts/files': 'file',
  'post /partners-int/accounts/schedules': 'schedule',
  'post /partners-int/webhooks/test': 'delivery',
  'post /sandbox/pix/infractions': 'report',
  'post /partners-int/accounts/pix/cashout/{id}/recovery': 'recovery',
  'post /audit/verifications': 'verification',
};

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/cautionary-rules\/\{id\}/, 'cautionary rule'],
  [/transactions\/\{id\}\/cancel/, 'for later'],
  [/cashout\/\{id\}\/recovery/, 'payout'],
  [/files\/\{id\}/, 'file'],
  [/schedules\/\{id\}/, 'schedule'],
  [/partners\/\{uid\}\/settings|^patch .*partners\/\{uid\}\/limits/, 'expendable partner'],
  [/partners\/\{uid\}/, 'partner'],
  [/\/(de)?activate|^patch .*\/limits/, 'expendable account'],
  [/holds\/\{id\}\/return/, 'blocked deposit'],
  [/holds\/\{id\}/, 'hold'],
  [/contacts\/\{id\}/, 'contact'],
  [/^delete .*accounts\/\{uid\}\/webhook/, 'account to be told nothing'],
  [/accounts\/\{uid\}/, 'account'],
  [/\{accessKey\}/, 'access key'],
  [/auditors\/\{id\}/, 'auditor'],
  [/reconciliation\/cases\/\{id\}/, 'case'],
  [/verifications\/\{id\}/, 'verification'],
  [/deliveries\/\{id\}/, 'delivery'],
  [/\/med\/\{id\}\/decision/, 'case to decide'],
  [/\/med\/\{id\}/, 'infraction'],
  [/sandbox.*infractions\/\{id\}/, 'report'],
  [/recoveries\/\{id\}/, 'recovery'],
  [/cashin\/\{id\}\/cancel/, 'deposit to cancel'],
  [/sandbox.*\/complete/, 'payment to complete'],
  [/sandbox.*\/fail/, 'payment to fail'],
  [/sandbox.*\/reverse/, 'payment to reverse'],
  [/qrcode/, 'deposit to show'],
  [/cashin\/\{id\}\/refunds/, 'paid cash-in'],
  [/transactions\/\{id\}/, 'transaction'],
  [/\{partition\}/, 'partition'],
  [/payload\/\{txid\}/, 'txid'],
  [/receipts/, 'receipt'],
];

/** What the identifiers in a route's path are of. A route that nobody thought of gets anything. */
export function kindInPath(route: Route): string {
  return KINDS.find(([pattern]) => pattern.test(route.name))?.[1] ?? 'anything';
}
