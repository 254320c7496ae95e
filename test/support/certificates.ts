import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/**
 * Makes X.509 certificates for tests, so that no key is checked in and no openssl is needed: DER by hand (RFC 5280),
 * Ed25519 (RFC 8410), valid for a day around now, or around another day.
 */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface TestAuthority extends TestCertificate {
  /** A server certificate for names and IPv4 addresses, signed by this authority. */
  issue(...names: string[]): TestCertificate;
}

const ED25519 = sequence(Buffer.from('06032b6570', 'hex'));
const DAY_MS = 86_400_000;

/** @param days from now, around which its certificates are valid */
export function testAuthority(commonName: string, days = 0): TestAuthority {
  const around = Date.now() + days * DAY_MS;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const basicConstraints = extension('0603551d13', sequence(tlv(0x01, Buffer.from([0xff]))), true);
  const cert = certificate({
    subject: commonName,
    issuer: commonName,
    publicKey,
    signer: privateKey,
    around,
    extensions: [basicConstraints],
  });
  return {
    cert,
    key: pem(privateKey),
    issue: (...names) => {
      const pair = generateKeyPairSync('ed25519');
      const alternatives = sequence(...names.map(generalName));
      return {
        cert: certificate({
          subject: names[0] ?? 'nobody',
          issuer: commonName,
          publicKey: pair.publicKey,
          signer: privateKey,
          around,
          extensions: [extension('0603551d11', alternatives)],
        }),
        key: pem(pair.privateKey),
      };
    },
  };
}

function certificate(parts: {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  around: number;
  extensions: Buffer[];
}): string {
  const body = sequence(
    tlv(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ED25519,
    name(parts.issuer),
    sequence(utcTime(parts.around - DAY_MS), utcTime(parts.around + DAY_MS)),
    name(parts.subject),
    parts.publicKey.export({ format: 'der', type: 'spki' }),
    tlv(0xa3, sequence(...parts.extensions)),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign(null, body, parts.signer)]));
  const lines =
    sequence(body, ED25519, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function name(commonName: string): Buffer {
  return sequence(tlv(0x31, sequence(Buffer.from('0603550403', 'hex'), tlv(0x0c, Buffer.from(commonName)))));
}

function generalName(text: string): Buffer {
  return isIPv4(text) ? tlv(0x87, Buffer.from(text.split('.').map(Number))) : tlv(0x82, Buffer.from(text));
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? [tlv(0x01, Buffer.from([0xff]))] : [];
  return sequence(Buffer.from(oid, 'hex'), ...flag, tlv(0x04, value));
}

function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`));
}

function integer(bytes: Buffer): Buffer {
  return tlv(0x02, bytes);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function tlv(tag: number, content: Buffer): Buffer {
  const length = content.length;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function pem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
