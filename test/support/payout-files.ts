import { call } from './api.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';

export const FILES = '/partners-int/payouts/files';
const HEADER = 'value,name,cpf,ispb,branch,number,digit,orderId,orderDescription';

/** A row that is paid, to an account. */
export const payoutRow = (order: string, value = '1.00') =>
  `${value},Maria Silva,52998224725,60701190,0001,123456,7,${order},Fornecedor`;

/** A CSV of so many lines without fault. */
export function payoutCsv(lines: number, prefix = 'order', value = '1.00'): string {
  return [HEADER, ...Array.from({ length: lines }, (_, i) => payoutRow(`${prefix}-${i + 1}`, value)), ''].join('\n');
}

/** The CSV of rows. */
export const csvOf = (...rows: string[]) => [HEADER, ...rows, ''].join('\r\n');

/** A partner's files at a service. */
export class PayoutFiles {
  constructor(
    readonly base: string,
    readonly token: string,
  ) {}

  upload(text: string | Uint8Array, headers: Record<string, string> = {}) {
    const body = typeof text === 'string' ? text : Buffer.from(text);
    return call(this.base, 'POST', FILES, {
      token: this.token,
      body,
      headers: { 'content-type': 'text/csv', ...headers },
    });
  }

  get(id: string) {
    return call(this.base, 'GET', `${FILES}/${id}`, { token: this.token });
  }

  cancel(id: string) {
    return call(this.base, 'POST', `${FILES}/${id}/cancel`, { token: this.token });
  }

  async results(id: string, format: 'csv' | 'jsonl' = 'jsonl'): Promise<any[]> {
    const { body } = await call(this.base, 'GET', `${FILES}/${id}/results?format=${format}`, { token: this.token });
    const lines = (body as string).trim().split(/\r?\n/);
    return format === 'csv' ? lines : lines.filter(Boolean).map((line) => JSON.parse(line) as unknown);
  }

  /** The file once nothing more of it is requested. */
  ended(id: string, within = 30_000): Promise<any> {
    return eventually(
      async () => {
        const { body } = await this.get(id);
        return body.data?.endedAt ? body.data : undefined;
      },
      { within },
    );
  }
}

/** Waits until no line is stored any more: the last ones of a file go after its end was told. */
export async function linesGone(database: TestDatabase): Promise<void> {
  await eventually(async () => (await database.query('select 1 as one from payout_file_input')).length === 0);
}
