/** The receiver's HTTP status, or the error where it did not answer. */
export function outcomeOf(attempt: { readonly httpStatus: number | null; readonly error: string | null }): string {
  return [attempt.httpStatus && `HTTP ${attempt.httpStatus}`, attempt.error].filter(Boolean).join(' · ') || '–';
}
