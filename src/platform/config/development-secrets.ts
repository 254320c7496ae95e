import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { explainingPermissions } from '@partner-payments/embedded-postgres';
import { giveToOwnerOfFolder } from '../folder-owner.js';
import type { Config, Settings } from './config.js';
import { adminTokens, key32, privateKey } from './parsers.js';
import type { Secrets } from './secrets.js';

interface SecretTexts {
  ADMIN_TOKEN: string;
  JWT_SECRET: string;
  KEY_PEPPER: string;
  MASTER_KEY: string;
  CHECKPOINT_SIGNING_KEY: string;
  PAYLOAD_SIGNING_KEY: string;
}

/** Secrets generated in development mode, to be printed once. */
export interface MadeSecrets {
  readonly file: string;
  /** Absent if the environment has one: that is not printed. */
  readonly adminToken: string | undefined;
}

/** Prints them once they are stored: whatever fails after that, they are not generated again. */
export function aboutMade({ file, adminToken }: MadeSecrets): string {
  const made = `Made secrets for development, kept in ${file}.\n`;
  return adminToken === undefined ? made : `${made}Operator token: ${adminToken}\n`;
}

/**
 * Completes the settings. In production nothing is missing; in development missing secrets are made, stored
 * in `DATA_DIR`, and used again at the next start.
 * @throws DataDirUnusable when this user may not read or write them there
 */
export async function completeSecrets(settings: Settings): Promise<{ config: Config; made: MadeSecrets | undefined }> {
  const given = settings.secrets;
  if (isComplete(given)) return { config: { ...settings, secrets: given }, made: undefined };
  const file = join(settings.dataDir, 'development-secrets.json');
  const { isNew, texts } = await explainingPermissions(resolve(settings.dataDir), async () => ({
    isNew: !existsSync(file) && (await store(file, settings.dataDir, makeSecrets())),
    texts: JSON.parse(await readFile(file, 'utf8')) as SecretTexts,
  }));
  const config: Config = {
    ...settings,
    secrets: {
      adminTokens: given.adminTokens ?? adminTokens(texts.ADMIN_TOKEN),
      jwtSecret: given.jwtSecret ?? texts.JWT_SECRET,
      keyPepper: given.keyPepper ?? key32(texts.KEY_PEPPER),
      masterKey: given.masterKey ?? key32(texts.MASTER_KEY),
      checkpointSigningKey: given.checkpointSigningKey ?? privateKey(texts.CHECKPOINT_SIGNING_KEY),
      payloadSigningKey: given.payloadSigningKey ?? privateKey(texts.PAYLOAD_SIGNING_KEY),
    },
  };
  const adminToken = given.adminTokens ? undefined : texts.ADMIN_TOKEN;
  return { config, made: isNew ? { file, adminToken } : undefined };
}

function isComplete(secrets: Partial<Secrets>): secrets is Secrets {
  return (
    secrets.adminTokens !== undefined &&
    secrets.jwtSecret !== undefined &&
    secrets.keyPepper !== undefined &&
    secrets.masterKey !== undefined &&
    secrets.checkpointSigningKey !== undefined &&
    secrets.payloadSigningKey !== undefined
  );
}

function makeSecrets(): SecretTexts {
  const signingKey = (type: 'ed25519' | 'ec') => {
    const { privateKey: key } =
      type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return key.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  };
  return {
    ADMIN_TOKEN: randomBytes(24).toString('base64url'),
    JWT_SECRET: randomBytes(36).toString('base64url'),
    KEY_PEPPER: randomBytes(32).toString('base64'),
    MASTER_KEY: randomBytes(32).toString('base64'),
    CHECKPOINT_SIGNING_KEY: signingKey('ed25519'),
    PAYLOAD_SIGNING_KEY: signingKey('ec'),
  };
}

/**
 * Written atomically, and never over another process's file: lost keys lose the data that they protect.
 * @returns false when another process was first
 */
async function store(file: string, folder: string, secrets: SecretTexts): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  try {
    await giveToOwnerOfFolder(draft);
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}
