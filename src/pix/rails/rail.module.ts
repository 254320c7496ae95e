import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { Config } from '../../platform/config/index.js';
import { BcbRail } from './bcb/bcb-rail.js';
import { BcbRailModule } from './bcb/bcb-rail.module.js';
import { EfiInfractionRail } from './efi/efi-infraction-rail.js';
import { EfiRail } from './efi/efi-rail.js';
import { EfiRailModule } from './efi/efi-rail.module.js';
import type { InfractionRail } from './infraction-rail.js';
import { NoInfractionRail } from './no-infraction-rail.js';
import type { PixRail } from './pix-rail.js';
import { SandboxInfractionRail } from './sandbox/sandbox-infraction-rail.js';
import { SandboxRail } from './sandbox/sandbox-rail.js';
import { SandboxRailModule } from './sandbox/sandbox-rail.module.js';

/** The adapter of this process, not measured. All but the module that measures it use `PIX_RAIL`. */
export const RAIL_ADAPTER = Symbol('rail adapter');
/** Its side of the MED, not measured: `INFRACTION_RAIL` is. */
export const INFRACTION_ADAPTER = Symbol('infraction adapter');

interface Adapter {
  readonly module: Type;
  readonly rail: Type<PixRail>;
  /** Its side of the MED, where it has one. */
  readonly infractions?: Type<InfractionRail>;
}

const ADAPTERS: Readonly<Record<Config['pixRail'], Adapter>> = {
  bcb: { module: BcbRailModule, rail: BcbRail },
  efi: { module: EfiRailModule, rail: EfiRail, infractions: EfiInfractionRail },
  sandbox: { module: SandboxRailModule, rail: SandboxRail, infractions: SandboxInfractionRail },
};

/** The rail that the setting PIX_RAIL names, and nothing of the others: they have no routes and no workers here. */
@Module({})
export class RailModule {
  static of(name: Config['pixRail']): DynamicModule {
    const { module, rail, infractions } = ADAPTERS[name];
    return {
      module: RailModule,
      imports: [module],
      providers: [
        { provide: RAIL_ADAPTER, useExisting: rail },
        infractions
          ? { provide: INFRACTION_ADAPTER, useExisting: infractions }
          : { provide: INFRACTION_ADAPTER, useValue: new NoInfractionRail(name) },
      ],
      exports: [RAIL_ADAPTER, INFRACTION_ADAPTER],
    };
  }
}
