import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';

const PAUSE_S = 8;

let world: EfiWorld;
let psp: EfiPsp;

beforeAll(async () => {
  world = await efiWorld('100.00', { EFI_PAYMENT_TURN_SECONDS: '2' });
  ({ psp } = world);
}, 60_000);

afterAll(async () => {
  await world.stop();
});

describe('a PSP that asks for a pause longer than the turn of a payout', () => {
  it('is not asked before it is over: neither for this payout nor for the next', async () => {
    const body = { type: '/x/BaldeFichasVazio' };
    const asked = performance.now();
    // Said by a date, of whole seconds.
    const retryAfter = new Date(Math.ceil(Date.now() / 1000 + PAUSE_S) * 1000).toUTCString();
    await psp.fail(/^PUT \/v3\/gn\/pix\//, { kind: 'status', status: 429, retryAfter, body });
    const ids = [await world.payOut('1.00'), await world.payOut('1.00')];
    const ended = ids.map((id) => world.completed(id, 25_000).then(() => performance.now() - asked));
    for (const after of await Promise.all(ended)) expect(after).toBeGreaterThan(PAUSE_S * 1000);
    const tries = await psp.asked(/^PUT \/v3\/gn\/pix\//);
    expect(tries.map(({ status }) => status)).toEqual([429, 201, 201]);
  });
});
