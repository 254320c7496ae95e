import { EntityNotFound } from '../platform/errors/index.js';

/** The entity; `undefined` if it is not found. */
export async function unlessMissing<T>(wanted: Promise<T>): Promise<T | undefined> {
  try {
    return await wanted;
  } catch (error) {
    if (error instanceof EntityNotFound) return undefined;
    throw error;
  }
}
