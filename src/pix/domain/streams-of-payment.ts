/** Those that a payment's events may be in; one of them has all. */
export function streamsOfPayment(id: string): string[] {
  return [`cash-out-${id}`, `cash-in-${id}`, `refund-${id}`];
}
