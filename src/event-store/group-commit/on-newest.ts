import { LogContradicted } from '../log/log-contradicted.js';

/** What events say, as they were read before something is decided on the row that they make. */
interface ReadLog<Logged> {
  /** Known already, or read just now. */
  readonly first: Logged;
  readonly read: () => Promise<Logged>;
  /** Grows with each event. */
  readonly versionOf: (logged: Logged) => number;
}

/**
 * Has something decided on the row and on the newest events of it. Others may have written since these were read: then
 * they are read once more.
 * @param act throws LogContradicted where the row is not what the events make
 * @throws LogContradicted where there are no newer events: somebody changed the row
 */
export async function onNewest<Logged, T>(
  { first, read, versionOf }: ReadLog<Logged>,
  act: (logged: Logged) => Promise<T>,
): Promise<T> {
  for (let logged = first; ;) {
    try {
      return await act(logged);
    } catch (error) {
      if (!(error instanceof LogContradicted)) throw error;
      const newer = await read();
      if (versionOf(newer) === versionOf(logged)) throw error;
      logged = newer;
    }
  }
}
