import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { InvalidWebhookSecret, type WebhookHeaders, WebhookVerifier } from './webhooks.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER = `whsec_${randomBytes(32).toString('base64')}`;
const AT = new Date('2026-11-20T12:00:00Z');
const BODY = JSON.stringify({ id: 'transaction-1', transactionState: 'Completed', payer: { name: 'José Ávila' } });

/** Signed by the package that others use: what it signs, the verifier must take. */
function signed(secrets = [SECRET], body = BODY, at = AT): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('message-1', at, body));
  return {
    'webhook-id': 'message-1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': signatures.join(' '),
  };
}

const verifier = (secrets: string | string[] = SECRET, now = AT) =>
  new WebhookVerifier(secrets, { now: () => now.getTime() });
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000);

describe('a genuine message', () => {
  it.each<[string, string | Uint8Array, WebhookHeaders]>([
    ['as text, with the headers of Node', BODY, signed()],
    ['as bytes, with the headers of fetch', new TextEncoder().encode(BODY), new Headers(signed())],
  ])('is taken %s', async (_how, body, headers) => {
    expect(await verifier().verify(body, headers)).toEqual({
      id: 'message-1',
      timestamp: AT,
      notification: JSON.parse(BODY),
    });
  });

  it('of an account is verified in the same way', async () => {
    const body = JSON.stringify({ type: 'hold.placed', timestamp: AT.toISOString(), data: { blocked: '1.00' } });
    const { notification } = await verifier().verifyAccount(body, signed([SECRET], body));
    expect(notification).toMatchObject({ type: 'hold.placed', data: { blocked: '1.00' } });
    await expect(verifier().verifyAccount(body, signed([OTHER], body))).rejects.toThrow('SignatureMismatch');
  });

  it('is taken while a secret is rotated, whichever side has the new one first', async () => {
    await expect(verifier(OTHER).verify(BODY, signed([SECRET, OTHER]))).resolves.toBeDefined();
    await expect(verifier([OTHER, SECRET]).verify(BODY, signed([SECRET]))).resolves.toBeDefined();
  });

  it('may be as old, and as far ahead, as the tolerance says', async () => {
    await expect(verifier(SECRET, later(300)).verify(BODY, signed())).resolves.toBeDefined();
    await expect(verifier(SECRET, later(-300)).verify(BODY, signed())).resolves.toBeDefined();
  });

  it('may have its headers in any case, as some gateways pass them', async () => {
    const headers = Object.entries(signed()).map(([name, value]) => [
      name.replace(/\b[a-z]/g, (c) => c.toUpperCase()),
      value,
    ]);
    await expect(verifier().verify(BODY, Object.fromEntries(headers))).resolves.toBeDefined();
  });

  it('may have each header in a list, as other gateways pass them', async () => {
    const lists = Object.entries(signed()).map(([name, value]) => [name, [value]]);
    await expect(verifier().verify(BODY, Object.fromEntries(lists))).resolves.toBeDefined();
  });

  it('may carry signatures of schemes that are not known', async () => {
    const headers = signed();
    headers['webhook-signature'] = `v1a,AAAA ${headers['webhook-signature']}`;
    await expect(verifier().verify(BODY, headers)).resolves.toBeDefined();
  });
});

describe('refused is', () => {
  const changed = (change: Record<string, string | undefined>): WebhookHeaders => ({ ...signed(), ...change });

  it.each<[string, string, WebhookHeaders, string]>([
    ['another body', `${BODY} `, signed(), 'SignatureMismatch'],
    ['the secret of somebody else', BODY, signed([OTHER]), 'SignatureMismatch'],
    ['another id under the signature', BODY, changed({ 'webhook-id': 'message-2' }), 'SignatureMismatch'],
    ['another time under the signature', BODY, changed({ 'webhook-timestamp': '1795348801' }), 'TimestampInFuture'],
    ['a scheme that is not the one', BODY, changed({ 'webhook-signature': 'v1a,AAAA' }), 'SignatureMismatch'],
    ['a signature that is no base64', BODY, changed({ 'webhook-signature': 'v1,%%%' }), 'SignatureMismatch'],
    ['an empty signature', BODY, changed({ 'webhook-signature': 'v1,' }), 'SignatureMismatch'],
    ['no signature', BODY, changed({ 'webhook-signature': undefined }), 'MissingHeader'],
    ['no id', BODY, changed({ 'webhook-id': '' }), 'MissingHeader'],
    ['a time that is none', BODY, changed({ 'webhook-timestamp': '-1' }), 'InvalidTimestamp'],
    ['a genuine body that is no JSON', 'x', signed([SECRET], 'x'), 'InvalidBody'],
  ])('%s', async (_what, body, headers, fault) => {
    await expect(verifier().verify(body, headers)).rejects.toMatchObject({ name: 'WebhookVerificationError', fault });
  });

  it('everything, instead of nothing, where the tolerance is no number', async () => {
    const unset = new WebhookVerifier(SECRET, { now: () => AT.getTime(), toleranceSeconds: Number(undefined) });
    await expect(unset.verify(BODY, signed())).rejects.toMatchObject({ fault: 'TimestampTooOld' });
  });

  it('a body that was parsed already, in words that say so', async () => {
    await expect(verifier().verify(JSON.parse(BODY) as never, signed())).rejects.toThrow(/^The body is its bytes/);
  });

  it('a copy that somebody kept', async () => {
    await expect(verifier(SECRET, later(301)).verify(BODY, signed())).rejects.toMatchObject({
      fault: 'TimestampTooOld',
    });
  });

  it.each(['', 'whsec_', 'secret', `whsec_${'%'.repeat(40)}`, `whsec_${Buffer.alloc(23).toString('base64')}`])(
    'the secret %j, without repeating it',
    (secret) => {
      expect(() => new WebhookVerifier(secret)).toThrow(InvalidWebhookSecret);
    },
  );
});
