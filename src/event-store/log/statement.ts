/** A prepared statement: named, so that the server plans it once a connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}
