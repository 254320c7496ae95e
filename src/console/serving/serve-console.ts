import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/index.js';
import { headersBelow } from '../../platform/http/index.js';
import { cacheControlOf, PAGE_HEADERS } from './security-headers.js';

const PAGE = 'index.html';
const ABSENT = `The console is not built: there is no page in CONSOLE_DIR. Build it, or switch it off (CONSOLE=false).\n`;

/**
 * Serves the console's build at `/console`: files by their names, compressed where the build left them so, and the
 * page for every other address under it, since those are the page's own. The page's headers are on these routes only:
 * the session's, under `/console` too, answer like every other route of the service.
 */
export async function serveConsole(app: NestFastifyApplication, { console }: Config): Promise<void> {
  if (!console.enabled) return;
  const root = resolve(console.folder);
  await app.register(async (scope: FastifyInstance) => {
    headersBelow(scope, '/console', PAGE_HEADERS);
    await serve(scope, root);
  });
}

async function serve(scope: FastifyInstance, root: string): Promise<void> {
  const isBuilt = existsSync(resolve(root, PAGE));
  if (isBuilt) {
    await scope.register(fastifyStatic, {
      root,
      prefix: '/console/',
      // One route a file: what is not there is an address of the page.
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        void reply.header('cache-control', cacheControlOf(path.replace(/\.(br|gz)$/, '')));
      },
    });
  }
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    if (!isBuilt) return refuse(reply, ABSENT);
    return extname(request.url.split('?')[0]!) === ''
      ? reply.sendFile(PAGE)
      : refuse(reply, 'There is no such file.\n');
  };
  scope.get('/console', answer);
  scope.get('/console/*', answer);
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply.status(404).type('text/plain; charset=utf-8').send(message);
}
