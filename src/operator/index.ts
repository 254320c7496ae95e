export { OperatorModule } from './operator.module.js';
export { PARTNER_EXAMPLE } from './partners.controller.js';
export { actorOf, showPartner } from './views.js';
