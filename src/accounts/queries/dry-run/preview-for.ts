import type { QueryBus } from '@nestjs/cqrs';
import type { DryRunPreview } from './dry-run-view.js';
import { GetPreview } from './dry-run.query.js';

/**
 * For a request on an account: what shows its dry run; `undefined` if it is to be carried out. @throws EntityNotFound
 */
export async function previewFor(
  queries: QueryBus,
  isDryRun: boolean,
  accountUid: string,
): Promise<DryRunPreview | undefined> {
  return isDryRun ? queries.execute(new GetPreview(accountUid)) : undefined;
}
