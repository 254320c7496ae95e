import { ByteWriter } from './byte-writer.ts';

/** A parameter: its text, or its binary writer, or NULL. */
export type BoundParameter = string | ((out: ByteWriter) => void) | null;

/**
 * Messages to the server (PostgreSQL documentation, "Message Formats"), one behind the other in one buffer: a group of
 * statements leaves the process in one write. pg makes each message a buffer of its own.
 */
export class FrontendMessages {
  readonly #out = new ByteWriter();

  /** Begins a new group; the messages before must have been sent. */
  clear(): void {
    this.#out.clear();
  }

  /** All messages since `clear`; no copy. */
  whole(): Buffer {
    return this.#out.written();
  }

  parse(name: string, text: string): void {
    const start = this.#begin('P');
    this.#zeroTerminated(name);
    this.#zeroTerminated(text);
    this.#out.int16(0); // types of parameters: the server finds them itself
    this.#end(start);
  }

  closeStatement(name: string): void {
    const start = this.#begin('C');
    this.#out.uint8(STATEMENT);
    this.#zeroTerminated(name);
    this.#end(start);
  }

  /**
   * Binds the unnamed portal; its results come as text.
   */
  bind(statement: string, parameters: readonly BoundParameter[]): void {
    const out = this.#out;
    const start = this.#begin('B');
    this.#zeroTerminated('');
    this.#zeroTerminated(statement);
    out.int16(parameters.length);
    for (const parameter of parameters) out.int16(typeof parameter === 'function' ? 1 : 0);
    out.int16(parameters.length);
    for (const parameter of parameters) {
      const length = out.at;
      out.int32(ABSENT);
      if (parameter === null) continue;
      if (typeof parameter === 'string') out.text(parameter);
      else parameter(out);
      out.room(0).setInt32(length, out.at - length - 4);
    }
    out.int16(0); // formats of results: text, all of them
    this.#end(start);
  }

  /** Asks for the columns of what is bound. */
  describe(): void {
    const start = this.#begin('D');
    this.#out.uint8(PORTAL);
    this.#zeroTerminated('');
    this.#end(start);
  }

  /** Runs what is bound, to its last row. */
  execute(): void {
    const start = this.#begin('E');
    this.#zeroTerminated('');
    this.#out.int32(0);
    this.#end(start);
  }

  sync(): void {
    this.#end(this.#begin('S'));
  }

  /** @returns where the length will stand */
  #begin(kind: string): number {
    this.#out.uint8(kind.charCodeAt(0));
    const start = this.#out.at;
    this.#out.int32(0);
    return start;
  }

  #end(start: number): void {
    this.#out.room(0).setInt32(start, this.#out.at - start);
  }

  #zeroTerminated(text: string): void {
    this.#out.text(text);
    this.#out.uint8(0);
  }
}

const ABSENT = -1;
const STATEMENT = 'S'.charCodeAt(0);
const PORTAL = 'P'.charCodeAt(0);
