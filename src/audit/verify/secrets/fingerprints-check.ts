import { LOOKUP_KEY, type PersonalDataCodec, REGISTRY_PARTITION } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { type Findings, show } from '../report.js';

const CHECK = 'fingerprints';

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
  findings.saw(CHECK);
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
    ...{ check: CHECK, partition: REGISTRY_PARTITION, position: null },
    ...{ subject, field: 'setting_fingerprint.fingerprint', expected, found },
  });
}
