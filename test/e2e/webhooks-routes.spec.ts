import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PartnerApi } from '../support/api.js';
import { WebhookWorld } from '../support/webhook-world.js';

/** What partners and the operator may ask about deliveries, and what they may have sent. */

let world: WebhookWorld;
beforeAll(async () => (world = await WebhookWorld.start()), 60_000);
afterAll(() => world?.stop());

describe('the routes of webhooks', () => {
  it('refuse an address or a header that is not allowed, with every fault', async () => {
    const answer = await world.session.post('/webhooks/test', {
      url: 'https://169.254.169.254/latest/meta-data',
      customHeaderName: 'Host',
      customHeaderValue: 'x',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      name: 'InvalidInputError',
      details: [
        { path: 'url', code: 'NotAllowed', info: {} },
        { path: 'customHeaderName', code: 'NotAllowed', info: {} },
      ],
    });
  });

  it('tell the faults of a test at once, whatever finds them, each with what helps', async () => {
    const answer = await world.session.post('/webhooks/test', {
      url: 'ftp://partner.example',
      customHeaderValue: 'x'.repeat(1025),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toMatchObject([
      { path: 'customHeaderValue', code: 'TooLong', info: { maximum: 1024 } },
      { path: 'url', code: 'NotAllowed', info: {} },
      { path: 'customHeaderName', code: 'Required', info: { missingProperty: 'customHeaderName' } },
    ]);
  });

  it('find no delivery of another partner, nor an unknown one; the operator may request any', async () => {
    const id = await world.send('/mine');
    await world.inStatus(id, 'Delivered');
    const stranger = await PartnerApi.login(world.service.url, (await world.operator.partner(['0.00'])).credentials);
    for (const unknown of [id, '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e', 'nothing']) {
      const answer = await stranger.post(`/webhooks/deliveries/${unknown}/redeliver`);
      expect(answer.status).toBe(404);
      expect(answer.body.error.details).toMatchObject({ entityName: 'WebhookDeliveryEntity', parameterValue: unknown });
    }
    expect((await stranger.get('/webhooks/deliveries')).body.data).toEqual({ items: [], nextCursor: null });
    expect(await world.operator.post(`/webhooks/deliveries/${id}/redeliver`)).toEqual({ deliveryId: id });
    await world.receiver.arrived('/mine', 2);
    const [requested] = await world.database.query<{ data: object }>(
      `select data from event where type = 'WebhookRedeliveryRequested' and data ->> 'deliveryId' = $1`,
      [id],
    );
    expect(requested!.data).toEqual({
      deliveryId: id,
      partnerUid: world.partner.uid,
      accountUid: world.partner.accounts[0],
    });
    const listed = await world.operator.get(`/accounts/${world.partner.accounts[0]}/webhooks/deliveries?limit=100`);
    expect(listed.items.some((item: { id: string }) => item.id === id)).toBe(true);
  });

  it('need the permission webhooks:manage', async () => {
    const key = await world.operator.post(`/accounts/${world.partner.accounts[0]}/access-keys`, {
      permissions: ['accounts:read'],
    });
    const reader = await PartnerApi.login(world.service.url, key);
    expect((await reader.get('/webhooks/deliveries')).status).toBe(403);
    expect((await reader.post('/webhooks/test', { url: world.receiver.url('/x') })).status).toBe(403);
  });

  it('are filtered by a transaction whose identifier may be in upper case, as in a path', async () => {
    const id = await world.paidIn('/upper', '52998224725');
    const { transactionId } = (await world.session.get('/webhooks/deliveries?limit=1')).body.data.items[0];
    for (const written of [transactionId, transactionId.toUpperCase()]) {
      const { items } = (await world.session.get(`/webhooks/deliveries?transactionId=${written}`)).body.data;
      expect(items.map((item: { id: string }) => item.id)).toEqual([id]);
    }
  });

  it('list newest first, page by page, by status; a foreign cursor, status or limit is 400', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await world.send('/listed'));
    await Promise.all(ids.map((id) => world.inStatus(id, 'Delivered')));
    const first = (await world.session.get('/webhooks/deliveries?status=Delivered&limit=2')).body.data;
    const second = (await world.session.get(`/webhooks/deliveries?status=Delivered&limit=2&cursor=${first.nextCursor}`))
      .body.data;
    const listed = [...first.items, ...second.items].map(({ id }: any) => id);
    expect(listed.slice(0, 3)).toEqual([...ids].reverse());
    for (const query of ['status=Lost', 'limit=0', `status=Stopped&cursor=${first.nextCursor}`]) {
      expect((await world.session.get(`/webhooks/deliveries?${query}`)).status).toBe(400);
    }
    world.receiver.behave('/gone', '410');
    const gone = await world.send('/gone');
    await world.inStatus(gone, 'Stopped');
    const stopped = (await world.session.get('/webhooks/deliveries?status=Stopped')).body.data.items;
    expect(stopped.map(({ id, status }: any) => [id, status])).toEqual([[gone, 'Stopped']]);
  });
});
