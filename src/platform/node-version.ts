/** The first import of every program: the syntax errors of an older Node would not help. */
const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(`This needs Node ${NEEDED} or later, and runs under ${process.version}.\n`);
  process.exit(2);
}
