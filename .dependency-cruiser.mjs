import { readdirSync } from 'node:fs';

/** Every folder of `src` is a module, but for the two that all of them stand on. */
const NAMES = readdirSync(new URL('src', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['event-store', 'platform'].includes(entry.name))
  .map(({ name }) => name);
const MODULES = `(${NAMES.join('|')})`;
/** All modules but these. */
const others = (...names) => `(${NAMES.filter((name) => !names.includes(name)).join('|')})`;

/**
 * Which modules a module may use, beside `event-store` and `platform`; each uses only those above it. A new module has
 * its line here. The README's map shows the arrows that there are; test/architecture compares them with these.
 */
export const USES = {
  // Every module asks auth who calls; it asks none of them.
  auth: [],
  // Payments change accounts; accounts know no payment.
  accounts: ['auth'],
  audit: ['accounts', 'auth'],
  transfers: ['accounts', 'auth'],
  pix: ['accounts', 'auth'],
  // Cases of the MED move payments; payments know no case. Pix hands on what the rail tells.
  med: ['accounts', 'auth', 'pix'],
  schedules: ['accounts', 'auth', 'pix', 'transfers'],
  'payout-files': ['accounts', 'auth', 'pix'],
  operator: ['accounts', 'auth', 'med', 'pix'],
  // Webhooks follow the events of others: nobody calls them, and only inspection reads what became of them.
  webhooks: ['accounts', 'auth', 'med', 'payout-files', 'pix', 'transfers'],
  // Inspection reads what others keep, and the console shows it: nobody needs either.
  inspection: ['accounts', 'audit', 'auth', 'med', 'payout-files', 'pix', 'webhooks'],
  console: ['audit', 'auth'],
};

/** The rules of the architecture. test/architecture feeds each rule a breach. */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Files may not depend on one another in a circle, not even by their types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'modules-only-by-their-index',
      comment: 'A module is entered by its index.ts and by nothing else.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: `^src/${MODULES}/`, pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'event-store-only-by-its-index',
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
      name: 'event-store-rooms',
      comment: 'Log, projections, subjects, registry: each room needs those before it, and no other.',
      severity: 'error',
      from: { path: '^src/event-store/(log|projections|subjects|registry)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/event-store/(group-commit|followers|work)/' },
    },
    {
      name: 'event-store-log-is-the-ground',
      comment: 'What is appended knows nothing of who writes, follows or projects it.',
      severity: 'error',
      from: { path: '^src/event-store/log/' },
      to: { path: '^src/event-store/[^/]+/', pathNot: '^src/event-store/log/' },
    },
    {
      name: 'platform-knows-nobody',
      comment: 'What is in platform/ would serve another service too. What knows the ledger stands in a module.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(event-store|${NAMES.join('|')})/` },
    },
    ...NAMES.map((name) => ({
      name: 'modules-use-those-of-the-table',
      comment: 'A module uses only the modules that USES in .dependency-cruiser.mjs names for it.',
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: { path: `^src/${others(name, ...(USES[name] ?? []))}/` },
    })),
    {
      name: 'nobody-needs-the-cli',
      comment: 'The command line stands on top of its module, as controllers do.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '^src/[^/]+/(cli/|index\\.ts$)' },
      to: { path: '^src/$1/cli/' },
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
      name: 'console-stands-alone',
      comment: 'The console knows the service by its HTTP routes only.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { path: '^src/' },
    },
    {
      name: 'console-parts-know-no-page',
      comment: 'Pages are made of these parts; a part that knows a page serves that page only.',
      severity: 'error',
      from: { path: '^console/src/(api|format|i18n|proof|ui)/' },
      to: { path: '^console/src/(app|pages)/' },
    },
    {
      name: 'packages-know-no-service',
      comment: 'A package would serve another service too: settings, loggers and errors come in as parameters.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(src|migrations|console|clients|scripts|test|bench)/' },
    },
    {
      name: 'packages-only-by-their-entry',
      comment: 'A package is imported by its name: it says itself what others may use.',
      severity: 'error',
      from: { path: '^(?:src|packages/([^/]+))/' },
      to: { path: '^packages/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'packages-behind-platform',
      comment: 'Platform hands on what packages give, so that modules ask in one place.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/' },
      to: { path: '^packages/' },
    },
    {
      name: 'nobody-needs-workers',
      comment: 'Workers issue commands and ask the rail; neither knows who asks.',
      severity: 'error',
      from: { path: '^src/pix/(commands|domain|inbox|queries|rails|transactions)/' },
      to: { path: '^src/pix/workers/' },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nobody needs is dead.',
      severity: 'error',
      from: { orphan: true, path: '^(src|console/src|packages/[^/]+/src)/', pathNot: '\\.(spec|d)\\.ts$' },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // Packages of this repository say in `exports` where their sources are.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    skipAnalysisNotInRules: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
  },
};
