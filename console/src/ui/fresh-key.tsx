/** One idempotency key for each opening of a form: a second click, or a retry after a lost answer, acts once. */
export function FreshKey() {
  return <input type="hidden" name="key" defaultValue={`console-${crypto.randomUUID()}`} />;
}
