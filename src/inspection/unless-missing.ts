import { EntityNotFound } from '../platform/errors/index.js';

/** What was asked for; `undefined` where it is not there. */
export async function unlessMissing<T>(wanted: Promise<T>): Promise<T | undefined> {
  try {
    return await wanted;
  } catch (error) {
    if (error instanceof EntityNotFound) return undefined;
    throw error;
  }
}
