import type { AddCommands } from './context.js';
import { addExport } from './export.js';
import { addForget } from './forget.js';
import { addImport } from './import.js';
import { addRebuild } from './rebuild.js';
import { addReplay } from './replay.js';
import { addRotateMasterKey } from './rotate-master-key.js';
import { addVerify } from './verify.js';

/** Every command of `ledger`. */
export const addAuditCommands: AddCommands = (program, context) => {
  for (const add of [addVerify, addReplay, addRebuild, addExport, addImport, addForget, addRotateMasterKey])
    add(program, context);
};
