import { connect, type Socket } from 'node:net';
import { OperatorApi, PartnerApi } from '../../support/api.js';
import { attackOn } from './attack.js';

/** Connections that send the head of a login and one byte of its body, beside a client that transfers. */

const CONNECTIONS = 10_200;
const AT_ONCE = 200;
const SECONDS = 20;
const HEAD =
  'POST /partners-int/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{';

await attackOn(1, {}, async ([service], row) => {
  const partner = await new OperatorApi(service.url).partner(['100000.00', '0.00']);
  const api = await PartnerApi.login(service.url, partner.credentials);
  const transfers = async (seconds: number) => {
    const times: number[] = [];
    let refused = 0;
    for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
      const began = performance.now();
      if ((await api.transfer(partner.accounts[1]!, '1.00')).status !== 201) refused += 1;
      times.push(performance.now() - began);
    }
    const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
    return `p99 ${p99.toFixed(0)} ms, ${refused} of ${times.length} refused`;
  };
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
