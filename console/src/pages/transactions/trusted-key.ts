/** The verifier key that this browser trusts for a partition: that of its last check. It is public. */
export function readTrustedKey(partition: number): string | null {
  return localStorage.getItem(nameOf(partition));
}

export function writeTrustedKey(partition: number, key: string): void {
  localStorage.setItem(nameOf(partition), key);
}

function nameOf(partition: number): string {
  return `trusted-key-${partition}`;
}
