export { addDistribute } from './distribute.command.js';
export { distributeLike, DistributionRefused, isCitus, placeTables } from './distribute.js';
export { PlacedOtherwise } from './plan.js';
