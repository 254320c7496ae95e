import { ChildProcess } from 'node:child_process';
import { constants, createContext, runInContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** What tests share with Node's own modules: `instanceof` says the same on both sides. */
const SHARED = new Set(['ArrayBuffer', 'Buffer', 'Uint8Array', 'global']);

/**
 * Jest's environment with a plain global object. That of Jest is a proxy behind an interceptor, and every name that
 * code does not declare itself is looked up there (docs/lab/experiments.md).
 */
export default class PlainGlobal extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const global = createContext(constants.DONT_CONTEXTIFY);
    const source = this.global;
    for (const key of Reflect.ownKeys(source)) {
      if (Object.hasOwn(global, key) && !SHARED.has(key)) continue;
      const descriptor = Reflect.getOwnPropertyDescriptor(source, key);
      Object.defineProperty(global, key, descriptor.get ? once(global, key, source, descriptor) : descriptor);
    }
    global.global = global;
    runInContext('Error.stackTraceLimit = 100', global);
    this.global = this.context = global;
    const { fakeTimersModern, moduleMocker } = this;
    this.moduleMocker = new moduleMocker.constructor(global);
    this.fakeTimersModern = new fakeTimersModern.constructor({ config: config.projectConfig, global });
  }

  /** Ends what the suite left running, as one does whose hook fails: services would go on for ever. */
  async teardown() {
    for (const child of process._getActiveHandles()) {
      if (!(child instanceof ChildProcess) || child.exitCode !== null || child.signalCode !== null) continue;
      if (!child.killed) process.stderr.write(`left running, and ended: ${child.spawnargs.join(' ')}\n`);
      child.kill('SIGKILL');
    }
    await super.teardown();
  }
}

/** Read when it is asked for: some of these load a part of Node. */
function once(global, key, source, { enumerable }) {
  const keep = (value) => Object.defineProperty(global, key, { configurable: true, enumerable, writable: true, value });
  return {
    configurable: true,
    enumerable,
    get: () => keep(source[key])[key],
    set: keep,
  };
}
