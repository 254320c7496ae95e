import { CommandBus } from '@nestjs/cqrs';
import { ForgetSubject } from '../../src/audit/commands/forget-subject/forget-subject.command.js';
import type { TestDatabase } from './database.js';
import { startInProcess } from './in-process.js';

/** Forgets subjects without the checks of `ledger forget`: as where something begins right after its last one. */
export async function forgetSubjects(database: TestDatabase, where: string, values: readonly unknown[]): Promise<void> {
  const service = await startInProcess(database, { ROLE: 'api' });
  const rows = await database.query<{ partition: number; subject: string }>(
    `select partition, subject from subject_key where ${where}`,
    values as unknown[],
  );
  const [partner] = await database.query<{ uid: string }>('select uid from partner limit 1');
  for (const { partition, subject } of rows) {
    await service.app
      .get(CommandBus)
      .execute(new ForgetSubject({ partition, subject, partnerUid: partner!.uid }, 'test'));
  }
  await service.close();
}
