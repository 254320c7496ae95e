import { addressPolicy } from '../../src/platform/outbound/address-policy.js';
import { GuardedAgent, type GuardedAgentOptions } from '../../src/platform/outbound/guarded-agent.js';
import { type AttemptResult, sendWebhook } from '../../src/webhooks/outbound/send-webhook.js';
import { type Answer, type Receiver, startRawReceiver, startReceiver } from './webhook-receiver.js';

const closers: (() => Promise<void>)[] = [];
const development = addressPolicy({ allowLoopback: true });

/** As production, but for 127.0.0.1, over http too. */
export const loopbackOnly = addressPolicy({ allowedNetworks: ['127.0.0.1'], allowHttp: true });
export const ok: Answer = (response) => response.end('ok');

/** Closes every agent and receiver made since the last call: for `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}

export function agent(options: Partial<GuardedAgentOptions> = {}): GuardedAgent {
  const made = new GuardedAgent({ policy: development, ...options });
  closers.push(() => made.destroy());
  return made;
}

export async function receive(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  return closedAfter(await startReceiver(...args));
}

export async function receiveRaw(...args: Parameters<typeof startRawReceiver>): Promise<Receiver> {
  return closedAfter(await startRawReceiver(...args));
}

function closedAfter(receiver: Receiver): Receiver {
  closers.push(() => receiver.close());
  return receiver;
}

export function send(
  { port }: Pick<Receiver, 'port'>,
  { sender = agent(), deadlineMs = 5_000 }: { sender?: GuardedAgent; deadlineMs?: number } = {},
): Promise<AttemptResult> {
  return sendTo(`http://127.0.0.1:${port}/`, sender, deadlineMs);
}

export function sendTo(url: string, sender: GuardedAgent, deadlineMs = 5_000): Promise<AttemptResult> {
  return sendWebhook(sender, { url, body: '{}', headers: {}, deadlineMs });
}

/** Polls until the condition holds, or fails after five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never came true: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
