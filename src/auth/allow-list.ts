import { BlockList, isIP } from 'node:net';

/** Compiled lists. Each belongs to a cached access key, and is collected with it. */
const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether an address is inside one of the networks (CIDR) of an access key. */
export function isInAllowList(networks: readonly string[], address: string): boolean {
  let list = compiled.get(networks);
  if (!list) compiled.set(networks, (list = compile(networks)));
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

function compile(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', prefix = ''] = network.split('/');
    list.addSubnet(base, Number(prefix), isIP(base) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
