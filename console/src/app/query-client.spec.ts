import { afterEach, expect, it } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
import { createQueryClient } from './query-client.js';

afterEach(() => onlineManager.setOnline(true));

it('tries a command at once without a network, so that none is sent later by itself', async () => {
  const client = createQueryClient();
  onlineManager.setOnline(false);
  const command = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(new Error('offline')) });
  void command.execute(undefined).catch(() => undefined);
  await new Promise(setImmediate);
  expect(command.state).toMatchObject({ status: 'error', isPaused: false });
  client.clear();
});
