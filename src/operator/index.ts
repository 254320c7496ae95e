export { OperatorModule } from './operator.module.js';
