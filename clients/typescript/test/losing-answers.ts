import { createServer } from 'node:http';
import { listenOnLoopback } from '../../../test/support/loopback.js';

/** A proxy that passes requests on, and cuts the connection instead of passing back so many answers to commands. */
export async function losingAnswers(to: string, count: number): Promise<{ url: string; close: () => Promise<void> }> {
  let lost = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization = '', 'idempotency-key': key } = request.headers;
      const headers = {
        'content-type': 'application/json',
        authorization,
        ...(key && { 'idempotency-key': `${key}` }),
      };
      void fetch(to + request.url, { method: request.method!, headers, body: Buffer.concat(chunks) }).then(
        async (answer) => {
          const body = await answer.text();
          if (key && lost++ < count) return response.socket!.destroy();
          return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
        },
      );
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, close };
}
