/** How deliveries fare, over all partners. */
export class DeliveryHealthView {
  /** Attempts that are due now */
  readonly due: number;
  readonly oldestDueSeconds: number | null;
  /** Not tried yet */
  readonly waiting: number;
  readonly retrying: number;
  readonly stopped: number;
  readonly exhausted: number;
  /** Of some there are more than are counted */
  readonly capped: boolean;
}
