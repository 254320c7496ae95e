import type { FileFormat } from '../../domain/payout-file.events.js';
import type { LineResult } from './results.query.js';

const COLUMNS = ['line', 'orderId', 'value', 'state', 'transactionId', 'endToEndId', 'error'] as const;

/** Results as the text of a file. */
export async function* resultsText(
  format: FileFormat,
  lines: AsyncIterable<LineResult>,
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`;
  for await (const line of lines) yield format === 'csv' ? `${csvOf(line)}\r\n` : `${JSON.stringify(line)}\n`;
}

function csvOf(result: LineResult): string {
  const error = reasonOf(result.error);
  return COLUMNS.map((name) => cell(name === 'error' ? error : String(result[name] ?? ''))).join(',');
}

/** The reason of a domain error, else its name. */
function reasonOf(error: LineResult['error']): string {
  if (!error) return '';
  const { reason, name, details } = error as { reason?: string; name?: string; details?: { reason?: string } };
  return reason ?? details?.reason ?? name ?? '';
}

function cell(text: string): string {
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
