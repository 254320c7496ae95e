export { OperatorModule } from './operator.module.js';
export { PARTNER_EXAMPLE } from './partners.controller.js';
export { showPartner } from './views.js';
