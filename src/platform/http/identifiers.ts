const IN_UPPER_CASE = /^(?=.*[A-F])[\dA-Fa-f]{8}(-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}$/;

/** A UUID as ours are kept, in lower case: it is the same in upper case (RFC 9562, 4). Other texts stay as they are. */
export function asKept(identifier: string): string {
  return IN_UPPER_CASE.test(identifier) ? identifier.toLowerCase() : identifier;
}
