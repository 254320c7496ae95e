import { Injectable } from '@nestjs/common';
import { HoldRows } from '../../../accounts/index.js';
import { partitionOf, type Sealed, SubjectVault } from '../../../event-store/index.js';
import type { Infraction } from '../../domain/infraction.js';
import type { Defence } from '../../domain/infraction.events.js';

/** Texts of a case in clear; `null` where there are none, or they were forgotten. */
export interface CaseTexts {
  readonly details: string | null;
  readonly defence: Defence | null;
  readonly note: string | null;
}

export interface OpenedCase {
  readonly infraction: Infraction;
  readonly texts: CaseTexts;
  /** What its hold blocks now, centavos. */
  readonly blocked: bigint;
}

/** Completes cases for those who read them. */
@Injectable()
export class CaseOpener {
  constructor(
    private readonly vault: SubjectVault,
    private readonly holds: HoldRows,
  ) {}

  async open(infractions: readonly Infraction[]): Promise<OpenedCase[]> {
    const ids = infractions.flatMap(({ holdId }) => holdId ?? []);
    const [texts, blocked] = await Promise.all([this.#texts(infractions), this.holds.blocked(ids)]);
    const open = <T>(one: Sealed<T> | null) => one && ((texts.get(one) ?? null) as T | null);
    return infractions.map((infraction) => ({
      infraction,
      texts: {
        details: open(infraction.details),
        defence: open<Defence>(infraction.defence),
        note: open(infraction.note),
      },
      blocked: blocked.get(infraction.holdId ?? '') ?? 0n,
    }));
  }

  async #texts(infractions: readonly Infraction[]): Promise<ReadonlyMap<Sealed, unknown>> {
    const plain = new Map<Sealed, unknown>();
    for (const [partition, some] of Map.groupBy(infractions, ({ id }) => partitionOf(id)!)) {
      const sealed = some.flatMap(({ details, defence, note }) =>
        [details, defence, note].filter((one) => one !== null),
      );
      const texts = await this.vault.openAll<unknown>(partition, sealed);
      sealed.forEach((one, i) => plain.set(one, texts[i]));
    }
    return plain;
  }
}
