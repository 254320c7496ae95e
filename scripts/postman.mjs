import { readFile, writeFile } from 'node:fs/promises';
import { formatted } from './formatted.mjs';

/**
 * Writes the Postman collection from `openapi.json`: a folder for each tag, a request for each route with a body of its
 * schema's examples, and scripts that keep what later requests need. `--check` compares instead, and fails when the
 * file is not current.
 */
const FILE = 'clients/postman/partner-payments.postman_collection.json';
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const FOLDERS = ['Auth', 'Accounts', 'Transfers', 'Pix', 'Transactions', 'Webhooks', 'Sandbox'];

/** Variables that the reader fills in, or the scripts set. */
const VARIABLES = {
  baseUrl: 'http://127.0.0.1:3000',
  accessKey: '',
  secret: '',
  webhookUrl: 'http://127.0.0.1:8081/hook',
  token: '',
  adminToken: '',
  auditorToken: '',
  accountUid: '',
  otherAccountUid: '',
  partnerUid: '',
  transactionId: '',
  cashInId: '',
  qrCode: '',
  deliveryId: '',
};

const WEBHOOK = { url: '{{webhookUrl}}' };
/** Members beside, or instead of, the required ones with their examples. */
const BODIES = {
  'POST /partners-int/login': { accessKey: '{{accessKey}}', secret: '{{secret}}' },
  'POST /partners-int/accounts/transfer': { refAccountCredit: '{{otherAccountUid}}' },
  'POST /partners-int/accounts/pix/cashin': { webhook: WEBHOOK },
  'POST /partners-int/accounts/pix/cashout': {
    payment: {
      value: '10.50',
      key: { type: 'EMAIL', value: 'ana@example.com' },
      recipient: { name: 'Ana Lima', cpf: '52998224725' },
    },
    webhook: WEBHOOK,
  },
  'POST /partners-int/accounts/pix/cashin/{id}/refunds': { amount: '1.00' },
  'POST /partners-int/webhooks/test': WEBHOOK,
  'POST /console/session': { credential: '{{adminToken}}' },
  'POST /sandbox/pix/payments': { qrCode: '{{qrCode}}' },
};

/** Lines of a request's script, after its answer is read as `data`. */
const KEEPS = {
  'POST /partners-int/login': [`pm.collectionVariables.set('token', data.token);`],
  'GET /partners-int/accounts': [
    `pm.collectionVariables.set('accountUid', data.items.find(({ current }) => current).uid);`,
    `pm.collectionVariables.set('otherAccountUid', data.items.find(({ current }) => !current)?.uid ?? '');`,
  ],
  'POST /partners-int/accounts/transfer': [`pm.collectionVariables.set('transactionId', data.id);`],
  'POST /partners-int/accounts/pix/cashout': [`pm.collectionVariables.set('transactionId', data.transaction.id);`],
  'POST /partners-int/accounts/pix/cashin': [
    `pm.collectionVariables.set('transactionId', data.transaction.id);`,
    `pm.collectionVariables.set('cashInId', data.transaction.id);`,
    `pm.collectionVariables.set('qrCode', data.payment.qrCode);`,
  ],
  'POST /partners-int/webhooks/test': [`pm.collectionVariables.set('deliveryId', data.deliveryId);`],
};

/** The variable that fills a path's identifier in. */
const IDENTIFIERS = [
  [/\/cashin\/\{id\}/, 'cashInId'],
  [/\/deliveries\/\{id\}/, 'deliveryId'],
  [/\/transactions?\/\{|\/(qrcode|receipts)\/\{/, 'transactionId'],
  [/\/accounts\/\{uid\}/, 'accountUid'],
  [/\/partners\/\{uid\}/, 'partnerUid'],
  [/\/access-keys\/\{/, 'accessKey'],
];

const TOKENS = { bearer: 'token', operator: 'adminToken', auditor: 'auditorToken' };

const document = JSON.parse(await readFile('openapi.json', 'utf8'));
const folders = new Map(FOLDERS.map((name) => [name, []]));
for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const [tag = 'Other'] = operation.tags ?? [];
    if (!folders.has(tag)) folders.set(tag, []);
    folders.get(tag).push(itemOf(path, method.toUpperCase(), operation));
  }
}

const collection = {
  info: {
    name: document.info.title,
    description:
      `${document.info.description}\n\nFill in \`baseUrl\`, \`accessKey\` and \`secret\`, send "${folders.get('Auth')[0].name}", ` +
      `then "${folders.get('Accounts')[0].name}": their scripts keep the token and the accounts for the other requests.`,
    schema: SCHEMA,
  },
  auth: bearer('token'),
  variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value })),
  item: [...folders].map(([name, item]) => ({ name, item })),
};
const text = await formatted(FILE, JSON.stringify(collection));

if (process.argv.includes('--check')) {
  if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
    console.error(`${FILE} is not current: npm run documents`);
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, text);
}

function itemOf(path, method, operation) {
  const route = `${method} ${path}`;
  // Where something is made, 200 is the answer to a dry run.
  const status = Math.max(
    ...Object.keys(operation.responses)
      .filter((one) => /^2\d\d$/.test(one))
      .map(Number),
  );
  const body = bodyOf(route, operation.requestBody);
  const keeps = KEEPS[route]?.map((line) => `  ${line}`);
  const exec = [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    ...(keeps
      ? [`if (pm.response.code === ${status}) {`, '  const { data } = pm.response.json();', ...keeps, '}']
      : []),
  ];
  return {
    name: operation.summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
    request: {
      method,
      description: operation.description ?? '',
      auth: authOf(operation),
      header: [
        { key: 'Accept', value: 'application/json' },
        ...(body ? [{ key: 'Content-Type', value: body.type }] : []),
        ...parameters(operation, 'header').map(({ name, description }) => ({
          key: name,
          value: '{{$guid}}',
          description,
        })),
        // Only the console's own page may change its session; without a browser the header is set here.
        ...(parameters(operation, 'header').some(({ name }) => name === 'X-Console')
          ? [{ key: 'Sec-Fetch-Site', value: 'same-origin' }]
          : []),
      ],
      url: urlOf(path, operation),
      ...(body && { body: { mode: 'raw', raw: body.text, options: { raw: { language: body.language } } } }),
    },
  };
}

function urlOf(path, operation) {
  const shown = path.replace(/\{(\w+)\}/g, ':$1');
  const query = parameters(operation, 'query').map(({ name, description = '', schema = {}, required = false }) => ({
    key: name,
    value: String(schema.default ?? schema.enum?.[0] ?? ''),
    description,
    disabled: !required,
  }));
  const variable = IDENTIFIERS.find(([expression]) => expression.test(path))?.[1];
  return {
    raw: `{{baseUrl}}${shown}`,
    host: ['{{baseUrl}}'],
    path: shown.slice(1).split('/'),
    query,
    variable: parameters(operation, 'path').map(({ name }, i) => ({
      key: name,
      value: i === 0 && variable ? `{{${variable}}}` : '',
    })),
  };
}

function parameters({ parameters: all = [] }, where) {
  return all.map(resolved).filter((one) => one.in === where);
}

function authOf({ security }) {
  const [scheme] = Object.keys(security?.[0] ?? {});
  const { type, in: place } = document.components.securitySchemes[scheme] ?? {};
  // Postman stores the cookie of the sign-in, and sends it back.
  if (!scheme || (type === 'apiKey' && place === 'cookie')) return { type: 'noauth' };
  if (!(scheme in TOKENS)) throw new Error(`no variable holds the token of ${scheme}`);
  return bearer(TOKENS[scheme]);
}

function bearer(variable) {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] };
}

function bodyOf(route, requestBody) {
  if (!requestBody) return undefined;
  const [[type, { schema, example }]] = Object.entries(requestBody.content);
  if (type !== 'application/json') return { type, language: 'text', text: example ?? exampleOf(schema) };
  const text = JSON.stringify(merge(exampleOf(schema), BODIES[route] ?? {}), null, 2);
  return { type, language: 'json', text };
}

/** The required members with their examples. */
function exampleOf(schema) {
  const one = resolved(schema);
  if (one.allOf) return exampleOf(one.allOf[0]);
  if (one.type === 'array') return [exampleOf(one.items)];
  if (one.type !== 'object') return one.example ?? one.default ?? one.enum?.[0] ?? '';
  return Object.fromEntries((one.required ?? []).map((name) => [name, exampleOf(one.properties[name])]));
}

/** Resolves a reference to the document's components; anything else is returned as it is. */
function resolved(one) {
  const [kind, name] = one.$ref?.split('/').slice(-2) ?? [];
  return one.$ref ? document.components[kind][name] : one;
}

function merge(base, more) {
  if (typeof base !== 'object' || typeof more !== 'object' || base === null) return more;
  const names = new Set([...Object.keys(base), ...Object.keys(more)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in more ? merge(base[name], more[name]) : base[name]]),
  );
}
