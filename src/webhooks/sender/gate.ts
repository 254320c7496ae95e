import { FIRST_LIMIT, Flow } from './flow.js';

/** What one partner's deliveries may hold at once in this process, over all of its addresses. */
const PARTNER_LIMIT = 128;
/** Receivers remembered; idle ones beyond it are forgotten. */
const MAX_FLOWS = 5_000;
/** How long a delivery is put off that found no room. */
const NO_ROOM_MS = 100;

/** Whom a delivery goes to, at four widths. */
export interface Destination {
  readonly partnerUid: string;
  /** Partner and origin. */
  readonly lane: string;
  readonly origin: string;
  /** The URL without its query. */
  readonly address: string;
}

/** Room for one attempt. */
export interface Pass {
  /**
   * Ends the attempt. `alive`: whether the receiver showed life; `undefined` where nothing can be said of it.
   * @returns whether the lane is closed to all but probes now, and whether there was no room before: more may wait
   */
  leave(alive: boolean | undefined): { readonly dead: boolean; readonly wasFull: boolean };
}

export interface NoRoom {
  readonly notFor: number;
  readonly dead: boolean;
}

/** How much may be claimed now: lanes and partners that are not named have the default. */
export interface Allowances {
  readonly lanes: ReadonlyMap<string, number>;
  readonly partners: ReadonlyMap<string, number>;
  readonly otherLanes: number;
  readonly otherPartners: number;
}

/**
 * Bounds what receivers can take of this process, so that a slow or dead one costs only itself: by lane (a partner's
 * deliveries to an origin), by address (of many on one origin, one may be dead), by origin (partners may share one, and
 * its connections are limited) and by partner (who may name any number of origins).
 */
export class Gate {
  readonly #lanes = new Map<string, Flow>();
  readonly #addresses = new Map<string, Flow>();
  readonly #origins = new Map<string, number>();
  readonly #partners = new Map<string, number>();

  /**
   * @param perOrigin attempts to one origin at once: the connections there are
   * @param clock milliseconds
   */
  constructor(
    private readonly perOrigin: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  allowances(): Allowances {
    const now = this.clock();
    return {
      lanes: new Map([...this.#lanes].map(([lane, flow]) => [lane, flow.free(now)])),
      partners: new Map([...this.#partners].map(([partner, inFlight]) => [partner, PARTNER_LIMIT - inFlight])),
      otherLanes: FIRST_LIMIT,
      otherPartners: PARTNER_LIMIT,
    };
  }

  /** Room for an attempt, or the milliseconds after which to ask again, and whether the address is taken for dead. */
  enter({ partnerUid, lane, origin, address }: Destination): Pass | NoRoom {
    const now = this.clock();
    const byLane = flowOf(this.#lanes, lane, this.perOrigin);
    const byAddress = flowOf(this.#addresses, `${partnerUid} ${address}`, this.perOrigin);
    // A probe of the lane speaks for the address too: two clocks of their own would never agree on a moment.
    if (!byLane.circuit.open && byAddress.circuit.open && byAddress.free(now) === 0) {
      const wait = byAddress.circuit.probeAt! - now;
      return { notFor: Number.isFinite(wait) ? Math.max(wait, NO_ROOM_MS) : NO_ROOM_MS, dead: true };
    }
    const inOrigin = this.#origins.get(origin) ?? 0;
    const ofPartner = this.#partners.get(partnerUid) ?? 0;
    const room = byLane.circuit.open || byAddress.free(now) > 0;
    if (!room || byLane.free(now) === 0 || inOrigin >= this.perOrigin || ofPartner >= PARTNER_LIMIT) {
      return { notFor: NO_ROOM_MS, dead: false };
    }
    byLane.begin(now);
    byAddress.begin(now);
    this.#origins.set(origin, inOrigin + 1);
    this.#partners.set(partnerUid, ofPartner + 1);
    return {
      leave: (alive) => {
        const at = this.clock();
        const wasFull =
          byLane.free(at) === 0 ||
          this.#origins.get(origin)! >= this.perOrigin ||
          this.#partners.get(partnerUid)! >= PARTNER_LIMIT;
        byLane.end(alive, at);
        byAddress.end(alive, at);
        countDown(this.#origins, origin);
        countDown(this.#partners, partnerUid);
        return { dead: byLane.circuit.open, wasFull };
      },
    };
  }

  /** Lets the next probe of a lane go at once: somebody has asked for a delivery there. */
  hurry(lane: string): void {
    this.#lanes.get(lane)?.circuit.hurry(this.clock());
  }

  /** Circuits that are open now, by lane and by address. */
  openCircuits(): { readonly lanes: number; readonly addresses: number } {
    const open = (flows: Map<string, Flow>) => [...flows.values()].filter((flow) => flow.circuit.open).length;
    return { lanes: open(this.#lanes), addresses: open(this.#addresses) };
  }
}

function flowOf(flows: Map<string, Flow>, key: string, most: number): Flow {
  let flow = flows.get(key);
  if (!flow) {
    if (flows.size >= MAX_FLOWS) forgetIdle(flows);
    flow = new Flow(most);
    flows.set(key, flow);
  }
  return flow;
}

/** Half of them, the longest unused first. */
function forgetIdle(flows: Map<string, Flow>): void {
  const idle = [...flows].filter(([, flow]) => flow.idle).sort(([, a], [, b]) => a.usedAt - b.usedAt);
  for (const [key] of idle.slice(0, MAX_FLOWS / 2)) flows.delete(key);
}

function countDown(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
