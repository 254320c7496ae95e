import 'reflect-metadata';
import { glob, readFile, writeFile } from 'node:fs/promises';
import ts from 'typescript';
import { formatted } from './formatted.mjs';

/**
 * Writes docs/events.md: every event type that the built application declares, with the members of its data as its
 * source declares them. `--check` compares instead, and fails when the page is not current.
 */
const PAGE = 'docs/events.md';

const { eventCatalogue } = await import('../dist/src/event-store/index.js');
await import('../dist/src/app.module.js');

/** Data types by event type, from the declarations in the sources. */
async function declarations() {
  const found = new Map();
  for await (const file of glob('src/**/*.ts')) {
    if (file.endsWith('.spec.ts')) continue;
    const text = await readFile(file, 'utf8');
    if (!text.includes('defineEvent<')) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      const declared = declarationOf(node);
      if (declared) found.set(declared.type, { file, members: membersOf(declared.data, source) });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** `defineEvent<Data>()('Type', …)` */
function declarationOf(node) {
  if (!ts.isCallExpression(node) || !ts.isCallExpression(node.expression)) return undefined;
  const inner = node.expression;
  if (inner.expression.getText() !== 'defineEvent' || !inner.typeArguments) return undefined;
  return { type: node.arguments[0].text, data: inner.typeArguments[0] };
}

function membersOf(data, source) {
  const literals = [];
  const collect = (type) => {
    if (ts.isTypeLiteralNode(type)) literals.push(type);
    else if (ts.isIntersectionTypeNode(type)) type.types.forEach(collect);
    else if (ts.isTypeReferenceNode(type)) collectNamed(type.typeName.getText());
  };
  const collectNamed = (name) =>
    source.statements
      .filter((one) => (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) && one.name.text === name)
      .forEach((one) => {
        if (ts.isTypeAliasDeclaration(one)) return collect(one.type);
        one.heritageClauses?.forEach(({ types }) =>
          types.forEach(({ expression }) => collectNamed(expression.getText())),
        );
        literals.push(one);
      });
  collect(data);
  return literals.flatMap(({ members }) =>
    members.filter(ts.isPropertySignature).map((member) => ({
      name: `${member.name.getText()}${member.questionToken ? '?' : ''}`,
      type: member.type.getText().replace(/\s+/g, ' ').replaceAll('|', '\\|'),
      note: ts
        .getJSDocCommentsAndTags(member)
        .map(({ comment }) => (typeof comment === 'string' ? comment : ''))
        .join(' ')
        .replace(/\s+/g, ' ')
        .replaceAll('|', '\\|'),
    })),
  );
}

const declared = await declarations();
const sections = [...eventCatalogue()]
  .sort((a, b) => (a.type < b.type ? -1 : 1))
  .map(({ type, schemaVersion, description, upcasters }) => {
    const { file, members } = declared.get(type);
    const older = Object.keys(upcasters);
    return [
      `## ${type}`,
      '',
      description,
      '',
      `Schema version ${schemaVersion}${older.length > 0 ? `; older ones (${older.join(', ')}) are still read` : ''}. Declared in \`${file}\`.`,
      '',
      ...(members.length > 0
        ? [
            '| Member | Type | |',
            '| --- | --- | --- |',
            ...members.map(({ name, type: of, note }) => `| \`${name}\` | \`${of}\` | ${note} |`),
          ]
        : []),
      '',
    ].join('\n');
  });

const page = `# Events

For developers and auditors: every event of the log, with the members of its data. Generated from the code by
\`scripts/events.mjs\`; do not edit.

Amounts are centavos in decimal text, times ISO 8601 UTC. A \`Personal<…>\` member stands in the log as \`{subject, sealed}\`: ciphertext under its subject's key. Every event also has
metadata: \`actor\`, and where they apply \`requestId\`, \`causation\`, \`correlation\`, \`idempotency\` and \`traceparent\`.

${sections.join('\n')}`;

const text = await formatted(PAGE, page);
if (process.argv.includes('--check')) {
  const current = await readFile(PAGE, 'utf8').catch(() => '');
  if (current !== text) {
    process.stderr.write(`${PAGE} is not current: run node scripts/events.mjs\n`);
    process.exitCode = 1;
  }
} else {
  await writeFile(PAGE, text);
}
