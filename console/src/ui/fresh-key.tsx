import { useState } from 'react';

/** One idempotency key for each opening of a form: a second click, or a retry after a lost answer, acts once. */
export function FreshKey() {
  // Made once: a default value that changes with each rendering would be written into the field.
  const [key] = useState(() => `console-${crypto.randomUUID()}`);
  return <input type="hidden" name="key" value={key} readOnly />;
}
