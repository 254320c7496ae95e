import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { compactVerify, CompactSign, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { ConfigurationError } from '../../../platform/config/index.js';
import { PayloadSigner } from './payload-signer.js';

const JKU = 'https://pix.exemplo.br/pix/jwks';
const elliptic = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** As a payer's bank does: by the published set, and with the allowed algorithms only. */
const verifyWith = (set: JSONWebKeySet, jws: string) =>
  compactVerify(jws, createLocalJWKSet(set), { algorithms: ['ES256', 'PS256'] });

describe('payload signer', () => {
  it.each([
    ['ES256', elliptic()],
    ['PS256', rsa(2048)],
  ])('signs with %s by the type of the key, so that the published set verifies it', async (alg, key) => {
    const signer = await PayloadSigner.of(key, JKU);
    const verified = await verifyWith(signer.jwks(), await signer.sign({ txid: 'a', nome: 'João' }));
    expect(JSON.parse(new TextDecoder().decode(verified.payload))).toEqual({ txid: 'a', nome: 'João' });
    expect(verified.protectedHeader).toEqual({ alg, typ: 'JOSE', jku: JKU, kid: signer.jwks().keys[0]!.kid });
  });

  it('makes a signature that OpenSSL verifies without any library of JOSE', async () => {
    const key = elliptic();
    const [header, payload, signature] = (await (await PayloadSigner.of(key, JKU)).sign({ txid: 'a' })).split('.');
    const signed = Buffer.from(`${header}.${payload}`);
    const holds = verify(
      'sha256',
      signed,
      { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature!, 'base64url'),
    );
    expect(holds).toBe(true);
  });

  it('names the key by its RFC 7638 thumbprint', async () => {
    const signer = await PayloadSigner.of(elliptic(), JKU);
    const { crv, kty, x, y, kid } = signer.jwks().keys[0]!;
    const canonical = JSON.stringify({ crv, kty, x, y });
    expect(kid).toBe(createHash('sha256').update(canonical).digest('base64url'));
  });

  it.each([elliptic(), rsa(2048)])('publishes no private member', async (key: KeyObject) => {
    const [jwk] = (await PayloadSigner.of(key, JKU)).jwks().keys;
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(jwk).not.toHaveProperty(member);
    expect(jwk).toMatchObject({ use: 'sig' });
  });

  describe('what a payer may not be fooled with', () => {
    const forge = (jws: string, change: { header?: object; payload?: object; signature?: string }) => {
      const [header, payload, signature] = jws.split('.') as [string, string, string];
      const rewrite = (part: string, members: object | undefined) =>
        members ? Buffer.from(JSON.stringify({ ...decode(part), ...members })).toString('base64url') : part;
      return [rewrite(header, change.header), rewrite(payload, change.payload), change.signature ?? signature].join(
        '.',
      );
    };

    it('refuses another amount under the same signature', async () => {
      const signer = await PayloadSigner.of(elliptic(), JKU);
      const jws = await signer.sign({ valor: { original: '1.00' } });
      await expect(verifyWith(signer.jwks(), jws)).resolves.toBeDefined();
      const forged = forge(jws, { payload: { valor: { original: '0.01' } } });
      await expect(verifyWith(signer.jwks(), forged)).rejects.toThrow('signature verification failed');
    });

    it('refuses a payload without a signature', async () => {
      const signer = await PayloadSigner.of(elliptic(), JKU);
      const forged = forge(await signer.sign({ a: 1 }), { header: { alg: 'none' }, signature: '' });
      await expect(verifyWith(signer.jwks(), forged)).rejects.toThrow();
    });

    it('refuses the public key taken as the secret of an HMAC', async () => {
      const key = rsa(2048);
      const signer = await PayloadSigner.of(key, JKU);
      const secret = createPublicKey(key).export({ format: 'pem', type: 'spki' });
      const forged = await new CompactSign(new TextEncoder().encode('{}'))
        .setProtectedHeader({ alg: 'HS256', kid: signer.jwks().keys[0]!.kid, jku: JKU })
        .sign(Buffer.from(secret));
      // Even a reader that names no algorithms: the set binds the key to its own.
      await expect(compactVerify(forged, createLocalJWKSet(signer.jwks()))).rejects.toThrow();
    });

    it('refuses the RSA key under an algorithm that it is not published for', async () => {
      const key = rsa(2048);
      const signer = await PayloadSigner.of(key, JKU);
      const forged = await new CompactSign(new TextEncoder().encode('{}'))
        .setProtectedHeader({ alg: 'RS256', kid: signer.jwks().keys[0]!.kid })
        .sign(key);
      await expect(compactVerify(forged, createLocalJWKSet(signer.jwks()))).rejects.toThrow();
    });

    it('refuses a signature of another key under our key identifier', async () => {
      const signer = await PayloadSigner.of(elliptic(), JKU);
      const forged = await new CompactSign(new TextEncoder().encode('{}'))
        .setProtectedHeader({ alg: 'ES256', kid: signer.jwks().keys[0]!.kid })
        .sign(elliptic());
      await expect(verifyWith(signer.jwks(), forged)).rejects.toThrow('signature verification failed');
    });
  });

  it.each([
    ['another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
    ['Ed25519', generateKeyPairSync('ed25519').privateKey],
    ['a short RSA key', rsa(1024)],
  ])('refuses to start with a signing key of the wrong kind: %s', async (_kind, key) => {
    await expect(PayloadSigner.of(key, JKU)).rejects.toThrow(ConfigurationError);
    await expect(PayloadSigner.of(key, JKU)).rejects.toThrow('PAYLOAD_SIGNING_KEY');
  });
});
