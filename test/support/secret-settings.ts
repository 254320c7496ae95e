import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** Settings of production mode with secrets made for the run. Webhooks may go to loopback, where the receiver is. */
export function productionSettings(): Record<string, string> {
  const signing = ({ privateKey }: { privateKey: KeyObject }) =>
    privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return {
    NODE_ENV: 'production',
    PIX_RAIL: 'sandbox',
    PUBLIC_URL: 'https://pay.example.com',
    ADMIN_TOKEN: `ana:${randomBytes(24).toString('base64url')}`,
    JWT_SECRET: randomBytes(36).toString('base64url'),
    KEY_PEPPER: randomBytes(32).toString('base64'),
    MASTER_KEY: randomBytes(32).toString('base64'),
    CHECKPOINT_SIGNING_KEY: signing(generateKeyPairSync('ed25519')),
    PAYLOAD_SIGNING_KEY: signing(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_RETRY_SCHEDULE: '0s,1s',
  };
}
