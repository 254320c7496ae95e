import type { AddCommands } from './context.js';
import { addExport } from './export.js';
import { addForget } from './forget.js';
import { addImport } from './import.js';
import { addRebuild } from './rebuild.js';
import { addReplay } from './replay.js';
import { addRotateMasterKey } from './rotate-master-key.js';
import { addSealDeliveries } from './seal-deliveries.js';
import { addVerifierKey } from './verifier-key.js';
import { addVerify } from './verify.js';
import { addWitness } from './witness.js';

/** Every command of `ledger`. */
export const addAuditCommands: AddCommands = (program, context) => {
  const audit = [addVerify, addVerifierKey, addReplay, addRebuild, addExport, addImport, addWitness];
  for (const add of [...audit, addForget, addRotateMasterKey, addSealDeliveries]) add(program, context);
};
