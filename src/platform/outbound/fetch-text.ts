import { errors } from 'undici';
import { AttemptFailed, attemptFailure } from './attempt-error.js';
import { startDeadline } from './deadline.js';
import type { GuardedAgent } from './guarded-agent.js';
import { checkOutboundUrl } from './outbound-url.js';

export interface FetchBounds {
  readonly deadlineMs: number;
  readonly mostBytes: number;
}

export interface FetchedText {
  readonly status: number;
  readonly text: string;
}

/**
 * GETs an https URL, if the agent's policy allows it. Redirects are not followed.
 * @throws AttemptFailed; SenderClosed when the agent was closed
 */
export async function fetchText(agent: GuardedAgent, address: string, bounds: FetchBounds): Promise<FetchedText> {
  const check = checkOutboundUrl(address, agent.policy);
  if (!check.ok || check.url.protocol !== 'https:') {
    throw new AttemptFailed('AddressNotAllowed', check.ok ? 'not https' : check.fault.message);
  }
  const { origin, pathname, search } = check.url;
  const deadline = startDeadline(bounds.deadlineMs);
  try {
    const responded = agent.dispatcher.request({
      origin,
      path: pathname + search,
      method: 'GET',
      signal: deadline.signal,
    });
    const { statusCode, body } = await Promise.race([responded, deadline.passed]);
    const text = await Promise.race([readText(body as AsyncIterable<Buffer>, bounds.mostBytes), deadline.passed]);
    return { status: statusCode, text };
  } catch (error) {
    throw attemptFailure(error);
  } finally {
    deadline.clear();
  }
}

/**
 * Leaving the loop early destroys the body and its connection.
 * @throws for more than so many bytes
 */
export async function readText(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) throw new errors.ResponseExceededMaxSizeError(`more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
