export { DecideInfraction } from './commands/decide-infraction/decide-infraction.command.js';
export { MedModule } from './med.module.js';
export {
  INFRACTION_STORY_EXAMPLE,
  InfractionStoryView,
  OPERATOR_INFRACTION_EXAMPLE,
  OperatorInfractionView,
  showToOperator,
} from './queries/infractions/infraction-view.js';
export { OpenCasesView } from './queries/infractions/open-cases.answer.js';
export { INFRACTION_CHANGES, InfractionNotification } from './queries/infractions/infraction-notifications.js';
export { RECOVERY_CHANGES, RecoveryNotification } from './queries/recoveries/recovery-notifications.js';
export { InfractionsQuery } from './queries/infractions/infractions.controller.js';
export {
  CountOpenCases,
  GetCaseSteps,
  GetInfraction,
  ListInfractions,
} from './queries/infractions/infractions.query.js';
