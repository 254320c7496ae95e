/** The key that this browser trusts for a partition: the one it proved something with first. Public, so it may be kept. */
export function readTrustedKey(partition: number): string | null {
  return localStorage.getItem(nameOf(partition));
}

export function writeTrustedKey(partition: number, key: string): void {
  localStorage.setItem(nameOf(partition), key);
}

function nameOf(partition: number): string {
  return `trusted-key-${partition}`;
}
