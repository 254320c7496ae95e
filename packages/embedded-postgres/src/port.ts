import { createServer, type AddressInfo } from 'node:net';
import { hasCode } from './errors.ts';

/** A TCP port that is free on 127.0.0.1 at this moment: the preferred one if it is, else any. */
export async function freePort(preferred = 0): Promise<number> {
  try {
    return await listenBriefly(preferred);
  } catch (error) {
    if (preferred === 0 || !hasCode(error, 'EADDRINUSE', 'EACCES')) throw error;
    return listenBriefly(0);
  }
}

function listenBriefly(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const found = (server.address() as AddressInfo).port;
      server.close(() => resolve(found));
    });
  });
}
