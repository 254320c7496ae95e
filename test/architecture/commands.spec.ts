import { glob, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

/**
 * Every change is a command and every read of a controller a query: what appends to the log is a handler of the command
 * bus, and a controller has nothing to read with.
 */

/** What of the ledger appends. */
const APPENDS = ['execute', 'executeAll', 'unlessDone'];
/** What of the ledger anybody may use: it tells that the log is not as it was, and changes nothing. */
const LISTENS = ['onContradicted', 'onLost'];

const BUSES = ['CommandBus', 'QueryBus'];
/**
 * What a controller may have beside the buses: it is about the request and its answer, and reads nothing of the ledger.
 */
const TRANSPORT = [
  // Counts requests of a partner or an address, and writes what is left into the answer's headers.
  'Limits',
  // The session that a request's cookie names, as guards read it, and the cookie that ends it.
  'Sessions',
  // Exchanges the credential in a body for such a cookie.
  'SignIn',
  // Draws what a query found, in a thread of its own.
  'Drawings',
  // Signs what a query found, and tells its public key.
  'PayloadSigner',
  // The service's own address, which a request of the console must come from.
  'Config',
];
/**
 * The event store has the ledger. What is in platform/ stands below the buses and answers for the process alone.
 * Adapters of a rail speak with a bank, or play it: what they learn reaches the ledger by the inbox, which issues
 * commands.
 */
const BELOW = /^src\/(event-store|platform|pix\/rails)\//;

/** Not as they must be yet: file and what is wrong there. One that is not needed any more fails. */
const NOT_YET: readonly string[] = [];

const parse = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

function nodesOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return [node, ...children.flatMap(nodesOf)];
}

const classesOf = (nodes: readonly ts.Node[]) => nodes.filter((node) => ts.isClassLike(node));

const isDecoratedAs = (name: string) => (one: ts.ClassLikeDeclaration) =>
  (ts.canHaveDecorators(one) ? (ts.getDecorators(one) ?? []) : []).some(
    ({ expression }) => ts.isCallExpression(expression) && expression.expression.getText() === name,
  );

function typeNameOf(node: { readonly type?: ts.TypeNode | undefined }): string | undefined {
  const { type } = node;
  return type && (ts.isTypeReferenceNode(type) ? type.typeName.getText() : type.getText());
}

/** Names under which a file has the ledger: of parameters, members and variables of that type. */
function ledgersOf(nodes: readonly ts.Node[]): Set<string> {
  const declared = nodes.filter(
    (node) => ts.isParameter(node) || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node),
  );
  return new Set(declared.filter((node) => typeNameOf(node) === 'Ledger').map(({ name }) => name.getText()));
}

/** What a file that handles no command does with the ledger, beside listening to it. */
function appendsIn(file: string, nodes: readonly ts.Node[]): string[] {
  const isHandler = file.endsWith('.handler.ts') && classesOf(nodes).some(isDecoratedAs('CommandHandler'));
  if (isHandler) return [];
  const ledgers = ledgersOf(nodes);
  const isDeclared = ({ parent }: ts.Node) =>
    ts.isParameter(parent) || ts.isPropertyDeclaration(parent) || ts.isVariableDeclaration(parent);
  const uses = nodes.filter((node) => {
    if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return false;
    // Also where the container is asked for it: `app.get(Ledger)`.
    const isAskedFor = node.text === 'Ledger' && ts.isCallExpression(node.parent);
    return isAskedFor || (ledgers.has(node.text) && !isDeclared(node));
  });
  return uses.flatMap((use) => {
    const ledger = ts.isPropertyAccessExpression(use.parent) && use.parent.name === use ? use.parent : use;
    const taken = ts.isPropertyAccessExpression(ledger.parent) && ledger.parent.expression === ledger;
    const member = taken ? ledger.parent.name.text : undefined;
    if (member !== undefined && LISTENS.includes(member)) return [];
    // Handed on, or given another name, it could append unseen.
    return [member !== undefined && APPENDS.includes(member) ? `ledger.${member}` : 'hands the ledger on'];
  });
}

/** What the controllers of a file have to read with. */
function readsIn(file: string, nodes: readonly ts.Node[]): string[] {
  const isController = file.endsWith('.controller.ts') || classesOf(nodes).some(isDecoratedAs('Controller'));
  if (!isController) return [];
  const parameters = nodes.filter((node) => ts.isConstructorDeclaration(node)).flatMap((node) => [...node.parameters]);
  // A member may be injected too.
  const members = nodes.filter(
    (node) =>
      ts.isPropertyDeclaration(node) &&
      (ts.getDecorators(node) ?? []).some(({ expression }) => /^Inject\w*\b/.test(expression.getText())),
  ) as ts.PropertyDeclaration[];
  return [...parameters, ...members]
    .map((one) => typeNameOf(one) ?? 'nothing that is named')
    .filter((type) => !BUSES.includes(type) && !TRANSPORT.includes(type))
    .map((type) => `reads by ${type}`);
}

function breachesOf(file: string, text: string): string[] {
  if (BELOW.test(file)) return [];
  const nodes = nodesOf(parse(file, text));
  return [...new Set([...appendsIn(file, nodes), ...readsIn(file, nodes)])].map((breach) => `${file}: ${breach}`);
}

const sources = new Map<string, string>();

beforeAll(async () => {
  for await (const file of glob('src/**/*.ts')) {
    if (!file.endsWith('.spec.ts')) sources.set(file, await readFile(file, 'utf8'));
  }
});

describe('every change is a command, every read of a controller a query', () => {
  it('in all sources, but for those that are listed', () => {
    const breaches = [...sources].flatMap(([file, text]) => breachesOf(file, text));
    expect(breaches.sort()).toEqual([...NOT_YET].sort());
  });

  it('where there is something to find: handlers that append, controllers that ask', () => {
    const files = [...sources].filter(([file]) => !BELOW.test(file));
    const appending = files.filter(([, text]) => /\bledger\s*\.(execute|unlessDone)\(/.test(text));
    expect(appending.filter(([file]) => file.endsWith('.handler.ts')).length).toBeGreaterThan(15);
    const asking = files.filter(([file, text]) => file.endsWith('.controller.ts') && text.includes('queries.execute('));
    expect(asking.length).toBeGreaterThan(20);
  });
});

describe('a breach is found:', () => {
  const holder = (body: string, parameter = 'private readonly ledger: Ledger') =>
    `@Injectable() class Sly { constructor(${parameter}) {} run() { ${body} } }`;

  it.each([
    ['an append', holder('return this.ledger.execute({});'), 'ledger.execute'],
    ['an append under a key', holder('return this.ledger.unlessDone(1, key, register);'), 'ledger.unlessDone'],
    [
      'one under another name',
      holder('return this.book.execute({});', 'private readonly book: Ledger'),
      'ledger.execute',
    ],
    ['one of a private member', 'class Sly { #book: Ledger; run() { this.#book.execute({}); } }', 'ledger.execute'],
    ['one of a function', 'function sly(book: Ledger) { return book.execute({}); }', 'ledger.execute'],
    ['a ledger with a second name', holder('const book = this.ledger; book.execute({});'), 'hands the ledger on'],
    ['a ledger that is taken apart', holder('const { ledger } = this; ledger.execute({});'), 'ledger.execute'],
    ['a ledger that is handed on', holder('return append(this.ledger);'), 'hands the ledger on'],
    ['a ledger of the container', 'app.get(Ledger).execute({});', 'hands the ledger on'],
  ])('%s', (_what, text, breach) => {
    const file = 'src/pix/workers/sly.worker.ts';
    expect(breachesOf(file, text)).toContain(`${file}: ${breach}`);
  });

  it.each([
    ['a reader', '@Controller() class Sly { constructor(private readonly rows: SlyRows) {} }', 'SlyRows'],
    ['a database', '@Controller() class Sly { constructor(queries: QueryBus, database: Database) {} }', 'Database'],
    ['a repository', 'class Base { constructor(@InjectRepository(Row) rows: Repository<Row>) {} }', 'Repository'],
    ['a member', '@Controller() class Sly { @Inject(Rows) private readonly rows: Rows; }', 'Rows'],
  ])('a controller with %s', (_what, text, type) => {
    const file = 'src/pix/queries/sly/sly.controller.ts';
    expect(breachesOf(file, text)).toEqual([`${file}: reads by ${type}`]);
  });

  it('a file of the name of a handler that handles no command', () => {
    const query = holder('return this.ledger.execute({});').replace('@Injectable()', '@QueryHandler(Sly)');
    const file = 'src/pix/queries/sly/sly.handler.ts';
    expect(breachesOf(file, query)).toEqual([`${file}: ledger.execute`]);
  });

  it('and nothing is where all is well', () => {
    const handler = holder('return this.ledger.execute({});').replace('@Injectable()', '@CommandHandler(Sly)');
    expect(breachesOf('src/pix/commands/sly/sly.handler.ts', handler)).toEqual([]);
    expect(breachesOf('src/audit/sly.ts', holder('this.ledger.onContradicted(sign);'))).toEqual([]);
    const controller =
      '@Controller() class Good { constructor(commands: CommandBus, queries: QueryBus, limits: Limits) {} }';
    expect(breachesOf('src/pix/queries/good/good.controller.ts', controller)).toEqual([]);
  });
});
