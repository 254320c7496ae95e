import { BlockList, isIP } from 'node:net';

/** Whether an address is inside one of the networks (CIDR); no list allows every address. */
export function isAllowedAddress(networks: readonly string[] | null, address: string): boolean {
  if (networks === null) return true;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', prefix = ''] = network.split('/');
    list.addSubnet(base, Number(prefix), isIP(base) === 4 ? 'ipv4' : 'ipv6');
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
