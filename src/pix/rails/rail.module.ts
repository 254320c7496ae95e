import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { Config } from '../../platform/config/index.js';
import { BcbRail } from './bcb/bcb-rail.js';
import { BcbRailModule } from './bcb/bcb-rail.module.js';
import { EfiRail } from './efi/efi-rail.js';
import { EfiRailModule } from './efi/efi-rail.module.js';
import type { PixRail } from './pix-rail.js';
import { SandboxRail } from './sandbox/sandbox-rail.js';
import { SandboxRailModule } from './sandbox/sandbox-rail.module.js';

/** The adapter of this process as it is. Everyone but the module that measures it uses `PIX_RAIL`. */
export const RAIL_ADAPTER = Symbol('rail adapter');

interface Adapter {
  readonly module: Type;
  readonly rail: Type<PixRail>;
}

const ADAPTERS: Readonly<Record<Config['pixRail'], Adapter>> = {
  bcb: { module: BcbRailModule, rail: BcbRail },
  efi: { module: EfiRailModule, rail: EfiRail },
  sandbox: { module: SandboxRailModule, rail: SandboxRail },
};

/** The rail that the setting PIX_RAIL names, and nothing of the others: their routes and their work are absent. */
@Module({})
export class RailModule {
  static of(name: Config['pixRail']): DynamicModule {
    const { module, rail } = ADAPTERS[name];
    return {
      module: RailModule,
      imports: [module],
      providers: [{ provide: RAIL_ADAPTER, useExisting: rail }],
      exports: [RAIL_ADAPTER],
    };
  }
}
