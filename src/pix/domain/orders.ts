/** What an order is decided on. */
export interface OrderTerms {
  /** The partner's setting: an account has each order once. */
  readonly ordersAreUnique?: boolean;
  /** The account has this orderId already, and its orders must be unique. */
  readonly orderIsTaken: boolean;
}

/** What the event that makes an order says of it, so that `verify` finds one that was made twice all the same. */
export function uniqueness({ ordersAreUnique, orderIsTaken }: OrderTerms): { orderIsUnique?: true } {
  return ordersAreUnique && !orderIsTaken ? { orderIsUnique: true } : {};
}
