import { readdirSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/index.js';
import { headersBelow } from '../../platform/http/index.js';
import { cacheControlOf, PAGE_HEADERS } from './security-headers.js';

const PAGE = 'index.html';
const ABSENT = `The console is not built: there is no page in CONSOLE_DIR. Build it, or switch it off (CONSOLE=false).\n`;

/**
 * Serves the console's build at `/console`: files by name, precompressed by the build, and the page for every other
 * path below, since those are client-side routes. The page's headers are on these routes only: those of the session,
 * also under `/console`, answer like every other route of the service.
 * @param refuse answers for what is thrown here: it is no route of Nest's
 */
export async function serveConsole(
  app: NestFastifyApplication,
  { console }: Config,
  refuse: (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void,
): Promise<void> {
  if (!console.enabled) return;
  const root = resolve(console.folder);
  await app.register(async (scope: FastifyInstance) => {
    scope.setErrorHandler(refuse);
    headersBelow(scope, '/console', PAGE_HEADERS);
    await serve(scope, root);
  });
}

async function serve(scope: FastifyInstance, root: string): Promise<void> {
  const files = filesBelow(root);
  const isBuilt = files.has(PAGE);
  if (isBuilt) {
    await scope.register(fastifyStatic, {
      root,
      // Every path that is no file's is a client-side route: one route is for all.
      serve: false,
      cacheControl: false,
      // They are short, and read whole.
      acceptRanges: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        void reply.header('cache-control', cacheControlOf(path.replace(/\.(br|gz)$/, '')));
      },
    });
  }
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    if (!isBuilt) return absent(reply, ABSENT);
    const { '*': name = '' } = request.params as { '*'?: string };
    if (files.has(name)) return reply.sendFile(name);
    return extname(request.url.split('?')[0]!) === ''
      ? reply.sendFile(PAGE)
      : absent(reply, 'There is no such file.\n');
  };
  scope.get('/console', answer);
  scope.get('/console/*', answer);
}

/** Their names from there; none where there is no such folder. */
function filesBelow(root: string): ReadonlySet<string> {
  try {
    const found = readdirSync(root, { recursive: true, withFileTypes: true });
    return new Set(found.filter((one) => one.isFile()).map((one) => relative(root, join(one.parentPath, one.name))));
  } catch {
    return new Set();
  }
}

function absent(reply: FastifyReply, message: string): FastifyReply {
  return reply.status(404).type('text/plain; charset=utf-8').send(message);
}
