import {
  fingerprinted,
  fingerprintOf,
  LOOKUP_KEY,
  type PersonalDataCodec,
  REGISTRY_PARTITION,
} from '../../../event-store/index.js';
import type { Secrets } from '../../../platform/config/index.js';
import type { Database } from '../../../platform/database/index.js';
import { type Findings, show } from '../report.js';

export const FINGERPRINTS = 'fingerprints';

type Fingerprinted = keyof ReturnType<typeof fingerprinted>;

/**
 * The fingerprints that processes compare their keys with exist, and are of the keys of this one: where one is gone,
 * the next process must prove its key by what is stored.
 * @param used whether something that is stored depends on the key: an empty database has no fingerprints yet
 */
export async function checkFingerprints(
  database: Database,
  secrets: Secrets,
  used: Readonly<Record<Fingerprinted, boolean>>,
  findings: Findings,
): Promise<void> {
  const kept = await fingerprintsIn(database);
  const keys = fingerprinted(secrets);
  for (const name of Object.keys(keys) as Fingerprinted[]) {
    const found = kept.get(name);
    if (!found && !used[name]) continue;
    findings.saw(FINGERPRINTS);
    if (found && fingerprintOf(name, keys[name]).equals(found)) continue;
    wrong(findings, name, 'that of the key in the settings', show(found));
  }
}

/**
 * Takes over the key of look-ups that a rotation of the master key kept.
 * @returns whether the key of look-ups is known; if not, that is reported
 */
export async function takeLookupKey(
  database: Database,
  codec: PersonalDataCodec,
  findings: Findings,
): Promise<boolean> {
  const wrapped = (await fingerprintsIn(database)).get(LOOKUP_KEY);
  if (!wrapped) return true;
  findings.saw(FINGERPRINTS);
  try {
    codec.useLookupKey(wrapped);
    return true;
  } catch (error) {
    wrong(findings, LOOKUP_KEY, 'a key that the master key unwraps', show((error as Error).message));
    return false;
  }
}

async function fingerprintsIn(database: Database): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await database.backgroundQuery<{ name: string; fingerprint: Buffer }>({
    name: 'verify-fingerprints',
    text: 'select name, fingerprint from setting_fingerprint',
    values: [],
  });
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

function wrong(findings: Findings, name: string, expected: string, found: string): void {
  const subject = `setting ${name}`;
  findings.report({
    ...{ check: FINGERPRINTS, partition: REGISTRY_PARTITION, position: null },
    ...{ subject, field: 'setting_fingerprint.fingerprint', expected, found },
  });
}
