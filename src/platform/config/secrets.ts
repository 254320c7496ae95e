import type { KeyObject } from 'node:crypto';
import type { AdminToken } from './parsers.js';

/** Secret settings. In development mode missing ones are generated and stored; see `development-secrets.ts`. */
export interface Secrets {
  readonly adminTokens: readonly AdminToken[];
  readonly jwtSecret: string;
  readonly keyPepper: Buffer;
  readonly masterKey: Buffer;
  readonly checkpointSigningKey: KeyObject;
  readonly payloadSigningKey: KeyObject;
}
