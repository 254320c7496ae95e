export { addDistribute } from './distribute.command.js';
export { distributeLike, isDistributed, placeTables } from './distribute.js';
export { settle } from './layout.js';
export { addPlacement } from './placement.command.js';
export { PlacedOtherwise } from './plan.js';
export { DistributionRefused } from './refused.js';
