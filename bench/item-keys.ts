/** Stands for the part of items' keys that is each request's own; as long as what replaces it. */
export const KEY = '~'.repeat(16);
