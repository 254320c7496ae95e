export { ConsoleModule } from './console.module.js';
export { serveConsole } from './serving/serve-console.js';
