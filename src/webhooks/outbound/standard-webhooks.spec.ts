import { describe, expect, it } from '@jest/globals';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { newWebhookSecret } from '../../../test/support/webhook-secret.js';
import { InvalidWebhookSecret, signWebhook } from './standard-webhooks.js';

const message = { id: 'msg_1', timestamp: new Date(), body: '{"id":"é","transactionState":"Completed"}' };

describe('signing', () => {
  it('satisfies the standardwebhooks package', () => {
    const secret = newWebhookSecret();
    const verified = new Webhook(secret).verify(message.body, signWebhook(message, [secret]));
    expect(verified).toEqual({ id: 'é', transactionState: 'Completed' });
  });

  it('signs with both secrets while one rotates, so that a receiver of either accepts', () => {
    const [newer, older, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const headers = signWebhook(message, [newer, older]);
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]+={0,2} v1,[\w+/]+={0,2}$/);
    new Webhook(newer).verify(message.body, headers);
    new Webhook(older).verify(message.body, headers);
    expect(() => new Webhook(foreign).verify(message.body, headers)).toThrow(WebhookVerificationError);
  });

  it.each([
    { ...message, body: `${message.body} ` },
    { ...message, id: 'msg_2' },
    { ...message, timestamp: new Date(message.timestamp.getTime() + 2_000) },
  ])('binds body, id and time', (other) => {
    const secret = newWebhookSecret();
    const { 'webhook-signature': signature } = signWebhook(message, [secret]);
    const headers = { ...signWebhook(other, [secret]), 'webhook-signature': signature };
    expect(() => new Webhook(secret).verify(other.body, headers)).toThrow(WebhookVerificationError);
  });

  it("agrees with the specification's example", () => {
    // github.com/standard-webhooks/standard-webhooks, spec: the values of its reference libraries' tests.
    const headers = signWebhook(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: new Date(1614265330_000), body: '{"test": 2432232314}' },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'*'.repeat(44)}`, `${'A'.repeat(44)}`])(
    'refuses the secret "%s", without repeating it',
    (secret) => {
      expect(() => signWebhook(message, [secret])).toThrow(InvalidWebhookSecret);
    },
  );
});
