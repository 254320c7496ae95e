import { afterEach, describe, expect, it } from '@jest/globals';
import { addressPolicy } from '../../src/platform/outbound/address-policy.js';
import { testAuthority } from '../support/certificates.js';
import { HOSTILE_HOSTS } from '../support/hostile-hosts.js';
import { agent, closeAll, loopbackOnly, ok, receive, receiveRaw, sendTo, until } from '../support/outbound-fixture.js';

afterEach(closeAll);

const both = { allowedNetworks: ['127.0.0.1', '::1'] };

describe('the guard', () => {
  it.each(HOSTILE_HOSTS)('refuses %s by its URL, and below it at the connection', async (host) => {
    const receiver = await receive(ok);
    const resolved: string[] = [];
    const resolve = async (name: string) => {
      resolved.push(name);
      return ['10.0.0.1'];
    };
    const sender = agent({ policy: addressPolicy({}), resolve });
    for (const scheme of ['http', 'https']) {
      const url = new URL(`${scheme}://${host}:${receiver.port}/`);
      expect(await sendTo(url.href, sender)).toMatchObject({ httpStatus: null, error: 'AddressNotAllowed' });
      // Past the check of the text, as a redirect or a slip elsewhere would come.
      await expect(sender.dispatcher.request({ origin: url.origin, path: '/', method: 'POST' })).rejects.toMatchObject({
        name: 'AttemptFailed',
        code: expect.stringMatching(/^(AddressNotAllowed|NameNotResolved)$/),
      });
    }
    expect(receiver.connections()).toBe(0);
    expect(resolved.every((name) => !/^[\d.[]/.test(name) && !name.endsWith('localhost'))).toBe(true);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.2']],
    ['mapped loopback', ['::ffff:127.0.0.2']],
    ['the metadata address', ['169.254.169.254']],
    ['an exempt and a private address', ['127.0.0.1', '10.0.0.1']],
    ['a public and a private address', ['8.8.8.8', '192.168.0.1']],
    ['a public address and a private IPv6 one', ['8.8.8.8', 'fd00::1']],
    ['no address', []],
    ['something that is no address', ['partner.example']],
  ])('refuses a name that resolves to %s, telling nothing of it', async (_, addresses) => {
    const receiver = await receive(ok);
    const sender = agent({ policy: loopbackOnly, resolve: async () => addresses });
    const result = await sendTo(`https://partner.example:${receiver.port}/`, sender);
    expect(result).toMatchObject({ httpStatus: null, error: 'NameNotResolved' });
    expect(receiver.connections()).toBe(0);
  });

  it('says the same of a name that is not known', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }));
    const result = await sendTo('https://partner.example/', agent({ resolve }));
    expect(result).toMatchObject({ httpStatus: null, error: 'NameNotResolved' });
  });

  it('counts a name server that never answers against the deadline', async () => {
    const sender = agent({ resolve: () => new Promise(() => undefined), connectTimeoutMs: 200 });
    expect(await sendTo('https://partner.example/', sender)).toMatchObject({ httpStatus: null, error: 'Timeout' });
    expect(await sendTo('https://other.example/', sender, 100)).toMatchObject({ httpStatus: null, error: 'Timeout' });
  });

  it('dials the address it checked: a name that changes in between gains nothing', async () => {
    const receiver = await receive((response) => response.setHeader('connection', 'close').end());
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1'], ['127.0.0.1', '169.254.169.254']];
    let asked = 0;
    const sender = agent({ policy: loopbackOnly, resolve: async () => answers[asked++] ?? [] });
    const errors: (string | null)[] = [];
    for (let n = 1; n <= answers.length; n += 1) {
      errors.push((await sendTo(`http://rebind.example:${receiver.port}/`, sender)).error);
      expect(asked).toBe(n); // once a connection: there is no second look-up to lie to
    }
    expect(errors).toEqual([null, 'NameNotResolved', null, 'NameNotResolved']);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual(
      Array(2).fill(`rebind.example:${receiver.port}`),
    );
  });

  it('tries the next address when one cannot be reached', async () => {
    const receiver = await receive(ok);
    // The receiver listens on 127.0.0.1 only: ::1 refuses, or does not exist.
    const sender = agent({
      resolve: async () => ['::1', '127.0.0.1'],
      policy: addressPolicy({ ...both, allowHttp: true }),
    });
    expect(await sendTo(`http://two.example:${receiver.port}/`, sender)).toMatchObject({ httpStatus: 200 });
  });

  it('takes localhost for loopback without asking anyone', async () => {
    const receiver = await receive(ok);
    const sender = agent({ resolve: () => Promise.reject(new Error('asked')) });
    expect(await sendTo(`http://localhost:${receiver.port}/`, sender)).toMatchObject({ httpStatus: 200 });
    expect(receiver.received[0]?.headers.host).toBe(`localhost:${receiver.port}`);
  });

  it('refuses http to an exempt address where http is not allowed', async () => {
    const receiver = await receive(ok);
    const sender = agent({ policy: addressPolicy(both) });
    const result = await sendTo(`http://127.0.0.1:${receiver.port}/`, sender);
    expect(result).toMatchObject({ httpStatus: null, error: 'AddressNotAllowed' });
    expect(receiver.connections()).toBe(0);
  });
});

describe('TLS', () => {
  const authority = testAuthority('Test authority');
  const certificate = authority.issue('hooks.partner.example', '127.0.0.1');
  const resolve = async () => ['127.0.0.1'];

  it('keeps the name for Host, SNI and the certificate while dialling the address', async () => {
    const receiver = await receive(ok, certificate);
    const sender = agent({ policy: loopbackOnly, resolve, ca: authority.cert });
    const result = await sendTo(`https://hooks.partner.example:${receiver.port}/`, sender);
    expect(result).toMatchObject({ httpStatus: 200, error: null });
    expect(receiver.received).toMatchObject([
      { servername: 'hooks.partner.example', headers: { host: `hooks.partner.example:${receiver.port}` } },
    ]);
  });

  it('checks the certificate of a literal address against the address', async () => {
    const receiver = await receive(ok, certificate);
    const other = await receive(ok, authority.issue('hooks.partner.example'));
    const sender = agent({ policy: loopbackOnly, ca: authority.cert });
    expect(await sendTo(`https://127.0.0.1:${receiver.port}/`, sender)).toMatchObject({ httpStatus: 200 });
    expect(await sendTo(`https://127.0.0.1:${other.port}/`, sender)).toMatchObject({ error: 'TlsFailed' });
    expect(receiver.received[0]?.servername).toBe(false);
    expect(other.received).toHaveLength(0);
  });

  it('refuses a certificate for another name, though it covers the address', async () => {
    const receiver = await receive(ok, certificate);
    const sender = agent({ policy: loopbackOnly, resolve, ca: authority.cert });
    const result = await sendTo(`https://other.partner.example:${receiver.port}/`, sender);
    expect(result).toMatchObject({ httpStatus: null, error: 'TlsFailed' });
    expect(receiver.received).toHaveLength(0);
  });

  it('refuses a certificate of an unknown authority', async () => {
    const receiver = await receive(ok, certificate);
    for (const ca of [undefined, testAuthority('Test authority').cert]) {
      const sender = agent({ policy: loopbackOnly, resolve, ca });
      const result = await sendTo(`https://hooks.partner.example:${receiver.port}/`, sender);
      expect(result).toMatchObject({ httpStatus: null, error: 'TlsFailed' });
    }
    expect(receiver.received).toHaveLength(0);
  });

  it('reports a server that speaks no TLS, or never finishes its handshake', async () => {
    const plain = await receive(ok);
    const silent = await receiveRaw(() => undefined);
    const sender = agent({ policy: loopbackOnly, resolve, connectTimeoutMs: 300 });
    expect(await sendTo(`https://hooks.partner.example:${plain.port}/`, sender)).toMatchObject({ error: 'TlsFailed' });
    expect(await sendTo(`https://hooks.partner.example:${silent.port}/`, sender)).toMatchObject({ error: 'Timeout' });
    await until(() => silent.openConnections() === 0);
  });
});
