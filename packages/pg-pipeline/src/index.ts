export { type Guard, PipelinedConnection } from './pipelined-connection.ts';
export {
  encoded,
  failedStatement,
  type PipelinedStatement,
  type Row,
  type StatementResult,
} from './statement-group.ts';
