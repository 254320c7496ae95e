import { setTimeout as sleep } from 'node:timers/promises';

const FILES = '/partners-int/payouts/files';
const HEADER = 'value,name,cpf,ispb,branch,number,digit,type,orderId,webhookUrl';

/** A file of payouts that was uploaded. */
export interface RunFile {
  /** Milliseconds from the begin of the upload to its acceptance, and from there until its last line was requested. */
  readonly acceptedMs: number;
  readonly ranMs: number;
}

/** A CSV of the payouts that the other workloads make. */
export function payoutCsv(lines: number, prefix: string, webhookUrl: string): string {
  const row = (i: number) =>
    `1.00,Maria Silva,529.982.247-25,60701190,0001,123456,7,CheckingsAccount,${prefix}-${i},${webhookUrl}`;
  return [HEADER, ...Array.from({ length: lines }, (_, i) => row(i)), ''].join('\n');
}

/** Uploads a file and waits until nothing more of it is requested. @throws when a line was refused */
export async function runFile(base: string, token: string, csv: string): Promise<RunFile> {
  const began = performance.now();
  const { id } = await call(base + FILES, token, csv);
  const accepted = performance.now();
  for (;;) {
    const { endedAt, lines, counts } = await call(`${base}${FILES}/${id}`, token);
    if (endedAt !== null) {
      if (counts.error > 0) throw new Error(`${counts.error} of ${lines} lines were refused`);
      return { acceptedMs: accepted - began, ranMs: performance.now() - accepted };
    }
    await sleep(50);
  }
}

interface File {
  readonly id: string;
  readonly endedAt: string | null;
  readonly lines: number;
  readonly counts: { readonly error: number };
}

async function call(url: string, token: string, csv?: string): Promise<File> {
  const answer = await fetch(url, {
    ...(csv !== undefined && { method: 'POST', body: csv }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
  });
  const json = (await answer.json()) as { data: File };
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${JSON.stringify(json)}`);
  return json.data;
}
