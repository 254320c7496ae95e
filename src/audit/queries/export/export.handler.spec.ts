import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceUnavailable } from '../../../platform/errors/index.js';
import type { Auditors } from '../../auditors/auditors.js';
import type { AuditReader } from '../../domain/auditor.js';
import type { Exporter } from '../../export/exporter.js';
import { ExportLogHandler } from './export.handler.js';
import { ExportLog } from './export.query.js';

const LINES = 4;
const AUDITOR = { id: 'one', actor: 'auditor:one' };
const OPERATOR = { id: 'operator:ana', actor: 'operator:ana' };

/** An export of four lines, each of which takes a while, beside what is known of its auditor. */
async function linesOf(reader: Pick<AuditReader, 'id' | 'actor'>, active: () => unknown): Promise<number> {
  const exporter = {
    covered: () => Promise.resolve([]),
    lines: async function* () {
      for (let i = 0; i < LINES; i++) {
        await pause(300);
        yield { kind: 'end', events: i };
      }
    },
  };
  const auditors = { active: () => Promise.resolve().then(active) };
  const handler = new ExportLogHandler(exporter as unknown as Exporter, auditors as unknown as Auditors);
  const { lines } = await handler.execute(new ExportLog({}, { ...reader, partnerUid: null }));
  let count = 0;
  try {
    for await (const _line of lines) count += 1;
  } catch (error) {
    expect((error as Error).message).toBe('The auditor was revoked during the export.');
  }
  return count;
}

describe('an export that takes its time', () => {
  it('ends before its end when its auditor is revoked', async () => {
    expect(await linesOf(AUDITOR, () => undefined)).toBe(1);
  });

  it('goes on while the auditor is active, or that cannot be told for a moment', async () => {
    expect(await linesOf(AUDITOR, () => ({ status: 'Active' }))).toBe(LINES);
    const unknown = () => {
      throw new ServiceUnavailable('The registry is not current.');
    };
    expect(await linesOf(AUDITOR, unknown)).toBe(LINES);
  });

  it('is an operator’s, who is no auditor', async () => {
    expect(await linesOf(OPERATOR, () => undefined)).toBe(LINES);
  });
});
