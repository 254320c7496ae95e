/** How deliveries to one host fare that are not delivered. */
export class HostCounts {
  readonly host: string;
  readonly retrying: number;
  readonly stopped: number;
  readonly exhausted: number;
  readonly waiting: number;
}
