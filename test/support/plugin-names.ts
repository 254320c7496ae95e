/**
 * A plugin of Fastify without a name has one here. Fastify looks for its file among the loaded modules, and Jest's list
 * of them is slow to read: a tenth of a second for each start of the application in a test's own process.
 */
const NAME = Symbol.for('fastify.display-name');

Object.defineProperty(Function.prototype, NAME, {
  get: () => 'a plugin',
  set(this: object, value: string) {
    Object.defineProperty(this, NAME, { value });
  },
});
