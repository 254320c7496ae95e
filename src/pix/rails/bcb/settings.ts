import { type BcbSettings, type Config, CONFIG } from '../../../platform/config/index.js';

/** Injects the settings of this rail: `@Inject(BCB) settings: BcbSettings`. */
export const BCB = Symbol('bcb settings');

/** Its module is made only where PIX_RAIL names it, and then the settings are there. */
export const bcbSettings = { provide: BCB, inject: [CONFIG], useFactory: ({ bcb }: Config): BcbSettings => bcb! };
