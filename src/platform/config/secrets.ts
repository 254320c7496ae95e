import type { KeyObject } from 'node:crypto';
import type { AdminToken } from './parsers.js';

/** What must be kept secret. In development mode the missing ones are made and stored; see `development-secrets.ts`. */
export interface Secrets {
  readonly adminTokens: readonly AdminToken[];
  readonly jwtSecret: string;
  readonly keyPepper: Buffer;
  readonly masterKey: Buffer;
  readonly checkpointSigningKey: KeyObject;
  readonly payloadSigningKey: KeyObject;
}
