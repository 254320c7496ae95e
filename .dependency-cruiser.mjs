import { readdirSync } from 'node:fs';

/** Every folder of `src` is a module, but for the two that all of them stand on. */
const NAMES = readdirSync(new URL('src', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['event-store', 'platform'].includes(entry.name))
  .map(({ name }) => name);
const MODULES = `(${NAMES.join('|')})`;
/** All modules but these. */
const others = (...names) => `(${NAMES.filter((name) => !names.includes(name)).join('|')})`;

/** The arrows of the architecture. test/architecture feeds each rule a breach. */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Files may not depend on one another in a circle.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'only-the-door',
      comment: 'A module is entered by its index.ts and by nothing else.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: `^src/${MODULES}/`, pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'event-store-only-by-its-door',
      comment: 'Module authors use the event store without reading its inside.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(event-store|audit)/' },
      to: { path: '^src/event-store/', pathNot: '^src/event-store/index\\.ts$' },
    },
    {
      name: 'event-store-knows-no-business',
      comment: 'The event store carries the events of any module: let the module hand over what it needs.',
      severity: 'error',
      from: { path: '^src/event-store/' },
      to: { path: `^src/${MODULES}/` },
    },
    {
      name: 'platform-knows-nobody',
      comment: 'What is in platform/ would serve another service too. What knows the ledger stands in a module.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(event-store|${NAMES.join('|')})/` },
    },
    {
      name: 'auth-knows-no-other-module',
      comment: 'Every module asks auth who calls; it asks none of them.',
      severity: 'error',
      from: { path: '^src/auth/' },
      to: { path: `^src/${others('auth')}/` },
    },
    {
      name: 'accounts-stand-below',
      comment: 'Payments change accounts; accounts know no payment. Auth is the only module that they need.',
      severity: 'error',
      from: { path: '^src/accounts/' },
      to: { path: `^src/${others('auth', 'accounts')}/` },
    },
    {
      name: 'nobody-needs-webhooks',
      comment:
        'Webhooks follow the events of others; no module of payments calls them. Inspection reads what became of them.',
      severity: 'error',
      from: { path: '^src/(auth|accounts|transfers|pix|event-store|platform)/' },
      to: { path: '^src/webhooks/' },
    },
    {
      name: 'nobody-needs-back-office-reads',
      comment: 'Inspection reads what others keep, and the console shows it; nobody calls them.',
      severity: 'error',
      from: { path: '^src/(auth|accounts|transfers|pix|webhooks|audit|operator|event-store|platform)/' },
      to: { path: '^src/(inspection|console)/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Deciders know no framework, no database and no clock, and nothing of the slices that use them.',
      severity: 'error',
      from: { path: '^src/[^/]+/domain/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: [
          'node_modules/(@nestjs|typeorm|pg|fastify|undici)/',
          '^src/platform/(database|config|http|observability)/',
          '^src/[^/]+/(commands|queries)/',
        ],
      },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nobody needs is dead.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
  },
};
