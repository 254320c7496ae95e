import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY } from './item-keys.ts';
import type { LoadPlan, LoadResult } from './load.ts';

export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

/** A Lua string; the escapes of JSON that occur here are Lua's too. */
const quoted = (text: string) => JSON.stringify(text);

const keyed = (run: string) => `(bodies[i]:gsub("${KEY}", string.format("${run.slice(-5)}%01d%010d", number, sent)))`;

/** Prepared requests, each far from the one before it in the list; with an idempotency key of its own if asked. */
const script = ({ method, requests, idempotent, items }: LoadPlan, run: string) => `
local heads, bodies = {}, {}
${requests
  .map(({ path, token, body = '' }, i) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}${body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`}`;
    return `heads[${i + 1}] = ${quoted(head)} bodies[${i + 1}] = ${quoted(`\r\n${body}`)}`;
  })
  .join('\n')}
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
local sent = 0
function request()
  sent = sent + 1
  local i = (sent * 4999 + number) % #heads + 1
  return heads[i] .. ${idempotent ? `"Idempotency-Key: ${run}-" .. number .. "-" .. sent .. "\\r\\n" .. ` : ''}${items === undefined ? 'bodies[i]' : keyed(run)}
end
function done(summary, latency)
  local errors = summary.errors
  io.stderr:write(string.format('{"requests":%d,"microseconds":%d,"failed":%d,"mean":%f,"p50":%f,"p99":%f}',
    summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency.mean, latency:percentile(50), latency:percentile(99)))
end
`;

/** A closed loop by wrk: it costs the machine a tenth of what a generator in JavaScript does. */
export async function wrk(plan: LoadPlan): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-bench-wrk-'));
  try {
    const file = join(folder, 'plan.lua');
    await writeFile(file, script(plan, `${Date.now()}`));
    const child = spawn('wrk', [
      '-t',
      '1',
      '-c',
      String(plan.connections),
      '-d',
      `${plan.seconds}s`,
      '-s',
      file,
      plan.url,
    ]);
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdout.resume();
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`wrk failed: ${output}`);
    const { requests, microseconds, failed, mean, p50, p99 } = JSON.parse(output) as Record<string, number>;
    const succeeded = requests! - failed!;
    const latency = { mean: mean! / 1000, p50: p50! / 1000, p99: p99! / 1000 };
    return { perSecond: (succeeded * 1_000_000) / microseconds!, succeeded, failed: failed!, latency };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
