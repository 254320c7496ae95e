import { type ApiPixSettings, type Config, CONFIG } from '../../../platform/config/index.js';

/** Injects the settings of the API Pix of this process's rail: `@Inject(API_PIX) settings: ApiPixSettings`. */
export const API_PIX = Symbol('api pix settings');

/** Its module is loaded only where PIX_RAIL names it, and then the settings exist. */
export const bcbSettings = {
  provide: API_PIX,
  inject: [CONFIG],
  useFactory: ({ bcb }: Config): ApiPixSettings => bcb!,
};
