export { OperatorModule } from './operator.module.js';
export { actorOf } from './views.js';
