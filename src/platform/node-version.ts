/** The first import of every program: what an older Node says of what it does not know would help nobody. */
const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(`This needs Node ${NEEDED} or later, and runs under ${process.version}.\n`);
  process.exit(2);
}
