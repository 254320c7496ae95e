/** Cuts a stream of PostgreSQL's protocol (after its start) into messages: a type, a length, a body. */
export class ProtocolMessages {
  #rest = Buffer.alloc(0);

  /** @returns the messages that are whole by now */
  push(chunk: Buffer): Buffer[] {
    let rest = Buffer.concat([this.#rest, chunk]);
    const whole: Buffer[] = [];
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      whole.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    this.#rest = Buffer.from(rest);
    return whole;
  }
}

/** ErrorResponse: what a coordinator says that lost a node, whatever the statement was. */
export function errorMessage(code: string, message: string): Buffer {
  const fields = Buffer.from(`SERROR\0VERROR\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** ReadyForQuery of a session that is in no transaction. */
export function endsTransaction(message: Buffer): boolean {
  return message[0] === 0x5a && message[5] === 0x49;
}

export function isReady(message: Buffer): boolean {
  return message[0] === 0x5a;
}
