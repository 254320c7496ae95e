/**
 * The txid of a charge: 26 to 35 letters and digits (BCB, API Pix, `txid` of a `cob`). Ours is the transaction's
 * UUIDv7 (RFC 9562, 5.7) without hyphens, so it carries the ledger partition in the twelve bits of `rand_a`.
 */
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OWN_TXID = /^([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/;

/** The txid of a transaction: 32 characters. Throws `RangeError` unless `uuid` is a UUIDv7 in lower case. */
export function txidOf(uuid: string): string {
  if (!UUID_V7.test(uuid)) throw new RangeError('not a UUIDv7 in lower case');
  return uuid.replaceAll('-', '');
}

/** The transaction of a txid; `undefined` for a txid that is not one of ours by its shape. */
export function uuidOfTxid(txid: string): string | undefined {
  const groups = OWN_TXID.exec(txid);
  return groups === null ? undefined : groups.slice(1).join('-');
}

/** The ledger partition (0–4095) in a txid of ours, otherwise `undefined`. Only a hint for routing. */
export function partitionOfTxid(txid: string): number | undefined {
  return OWN_TXID.test(txid) ? Number.parseInt(txid.slice(13, 16), 16) : undefined;
}
