import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { eventually } from '../support/eventually.js';

const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
if (!hasNginx) process.stdout.write('nginx is not installed: ops/nginx/nginx.conf is not run\n');

const listening = async (server: Server) => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

/** The file as it is, but for addresses and TLS; `certified`: as for who presents the PSP's certificate. */
async function runNginx(ports: readonly number[], port: number, { certified = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'payments-nginx-'));
  // Bodies are buffered by another user, where this one is root.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'logs'));
  const file = (await readFile('ops/nginx/nginx.conf', 'utf8'))
    .replace('10.0.0.1:3000', `127.0.0.1:${ports[0]}`)
    .replace('10.0.0.2:3000', `127.0.0.1:${ports[1]}`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_(certificate|client|verify).*$/gm, '')
    .replace('!= SUCCESS', certified ? '= SUCCESS' : '!= SUCCESS');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const around = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${file}\n}`;
  await writeFile(join(folder, 'nginx.conf'), around);
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  nginx.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(nginx, 'exit');
  return {
    errors: () => errors,
    stop: async () => {
      nginx.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe('the proxies between machines', () => {
  (hasNginx ? it : it.skip)('nginx sends a token to one machine, and to the other when that is gone', async () => {
    const machine = (name: string) =>
      createServer((request, response) => response.end(`${name} ${request.headers.host}`));
    const machines = [machine('a'), machine('b')];
    const ports = await Promise.all(machines.map(listening));
    const free = createServer();
    const port = await listening(free);
    free.close();
    const nginx = await runNginx(ports, port);
    try {
      const ask = async (token: string, path = '/partners-int/accounts') => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        return `${answer.status} ${(await answer.text()).split(' ')[0]}`;
      };
      await eventually(() => ask('x')).catch((error: unknown) => {
        throw new Error(nginx.errors(), { cause: error });
      });
      const tokens = Array.from({ length: 60 }, (_, i) => `token-${i}`);
      const places = await Promise.all(tokens.map((token) => ask(token)));
      for (let i = 0; i < 3; i++) expect(await Promise.all(tokens.map((token) => ask(token)))).toEqual(places);
      const first = places.filter((place) => place === '200 a').length;
      expect(first).toBeGreaterThan(15);
      expect(first).toBeLessThan(45);
      for (const inside of ['/metrics', '/%6Detrics', '/health/ready', '/admin/partners', '/docs', '/openapi.json']) {
        expect(await ask('x', inside)).toMatch(/^404/);
      }
      expect(await ask('x', '/pix/notifications/pix')).toMatch(/^403/);
      const size = async (path: string, bytes: number) => {
        const body = Buffer.alloc(bytes, 'x');
        return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })).status;
      };
      expect(await size('/partners-int/login', 2 * 1024 * 1024)).toBe(413);
      expect(await size('/partners-int/accounts/transfers/batch', 1024 * 1024)).toBe(200);
      expect(await size('/partners-int/payouts/files', 2 * 1024 * 1024)).toBe(200);
      expect(await size('/partners-int/payouts/files/', 2 * 1024 * 1024)).toBe(200);
      expect(await size('/partners-int/payouts/files/x', 2 * 1024 * 1024)).toBe(413);

      machines[0]!.close();
      machines[0]!.closeAllConnections();
      const moved = await Promise.all(tokens.map((token) => ask(token)));
      expect(new Set(moved)).toEqual(new Set(['200 b']));
    } finally {
      await nginx.stop();
      machines.forEach((one) => one.close());
    }
  });

  (hasNginx ? it : it.skip)(
    'nginx logs no address of a callback, which is secret, when no machine is there',
    async () => {
      const free = [createServer(), createServer(), createServer()];
      const ports = await Promise.all(free.map(listening));
      free.forEach((one) => one.close());
      const nginx = await runNginx(ports, ports[2]!, { certified: true });
      try {
        const ask = async (path: string) =>
          (await fetch(`http://127.0.0.1:${ports[2]}${path}`, { method: 'POST' })).status;
        await eventually(async () => (await ask('/partners-int/login')) === 502);
        expect(await ask('/pix/notifications/a-secret/pix')).toBe(502);
        expect(await ask('/partners-int/later')).toBe(502);
        await eventually(() => nginx.errors().includes('/partners-int/later'));
        expect(nginx.errors()).not.toContain('a-secret');
      } finally {
        await nginx.stop();
      }
    },
  );

  it('Envoy is told the same: the header to hash, the ring, the routes that stay inside', async () => {
    const file = parse(await readFile('ops/envoy/envoy.yaml', 'utf8'));
    const [listener] = file.static_resources.listeners;
    const { route_config: routes } = listener.filter_chains[0].filters[0].typed_config;
    const [inside, encoded, certified, uncertified, all] = routes.virtual_hosts[0].routes;
    const refuses = ({ match, direct_response: { status } }: any, path: string) =>
      status === 404 && new RegExp(`^${match.safe_regex.regex}$`).test(path);
    for (const path of ['/metrics', '/health/live', '/admin/partners', '/docs', '/openapi.json']) {
      expect(refuses(inside, path)).toBe(true);
    }
    expect(refuses(encoded, '/%6Detrics')).toBe(true);
    expect(refuses(encoded, '/partners-int/login')).toBe(false);
    expect(certified).toMatchObject({ match: { tls_context: { validated: true } }, route: { cluster: 'payments' } });
    expect(uncertified.match).toEqual({ prefix: certified.match.prefix });
    expect(uncertified.direct_response.status).toBe(403);
    expect(all.route.hash_policy).toEqual([{ header: { header_name: 'authorization' } }]);
    const [cluster] = file.static_resources.clusters;
    expect(cluster).toMatchObject({ name: all.route.cluster, lb_policy: 'RING_HASH' });
    expect(cluster.load_assignment.endpoints[0].lb_endpoints).toHaveLength(2);
  });
});
