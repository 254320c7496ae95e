import { encoded, type PipelinedStatement } from '@partner-payments/pg-pipeline';
import { Client } from 'pg';

/**
 * pg's client, which sends arrays in PostgreSQL's binary format where the statement casts them (`$2::uuid[]`). As text
 * each element is escaped, and joined with the others.
 */
export class EncodingClient extends Client {
  override query(statement: unknown, ...rest: readonly unknown[]): never {
    const send = super.query.bind(this) as (...given: readonly unknown[]) => never;
    return send(hasArrays(statement) ? encoded(statement) : statement, ...rest);
  }
}

function hasArrays(statement: unknown): statement is PipelinedStatement {
  return (statement as PipelinedStatement | undefined)?.values?.some(Array.isArray) === true;
}
