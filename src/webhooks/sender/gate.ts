import { FIRST_LIMIT, Flow } from './flow.js';

/** Lanes, and addresses, remembered of one partner: many more than it can have attempts under way. */
const MAX_FLOWS = 512;
/** How long a delivery is put off that found no room. */
const NO_ROOM_MS = 100;

/** Whom a delivery goes to, at three widths. */
export interface Destination {
  readonly partnerUid: string;
  /** Partner and origin. */
  readonly lane: string;
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

/** A receiver that is taken for dead, by the clock of the wall. */
export interface OpenCircuit {
  readonly since: Date;
  /** `null` while a probe is under way. */
  readonly nextProbeAt: Date | null;
}

export interface NoRoom {
  readonly notFor: number;
  readonly dead: boolean;
}

/** How much may be claimed now: lanes that are not named have the default. */
export interface Allowances {
  readonly lanes: ReadonlyMap<string, number>;
  readonly otherLanes: number;
}

interface Receivers {
  readonly lanes: Map<string, Flow>;
  readonly addresses: Map<string, Flow>;
}

/**
 * Bounds what receivers can take of a partner's share, so that a slow or dead one costs only itself: by lane (a partner's
 * deliveries to an origin) and by address (of many on one origin, one may be dead). All that is known of a receiver is
 * known for one partner: what another partner's deliveries to the same origin meet neither slows nor stops this one's,
 * and however many receivers a partner names, it has its own ones forgotten.
 */
export class Gate {
  readonly #partners = new Map<string, Receivers>();

  /**
   * @param perLane attempts of one lane at once
   * @param clock milliseconds
   */
  constructor(
    private readonly perLane: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  allowances(): Allowances {
    const now = this.clock();
    const lanes = new Map<string, number>();
    for (const partner of this.#partners.values()) {
      for (const [lane, flow] of partner.lanes) {
        const free = flow.free(now);
        // What rests and may begin as much as an unknown one has that much until it does not rest any more.
        if (!flow.idle || free < FIRST_LIMIT) lanes.set(lane, free);
      }
    }
    return { lanes, otherLanes: FIRST_LIMIT };
  }

  /** Room for an attempt, or the milliseconds after which to ask again, and whether the address is taken for dead. */
  enter({ partnerUid, lane, address }: Destination): Pass | NoRoom {
    const now = this.clock();
    const { lanes, addresses } = this.#receiversOf(partnerUid);
    const byLane = flowOf(lanes, lane, this.perLane);
    const byAddress = flowOf(addresses, address, this.perLane);
    // A probe of the lane speaks for the address too: two clocks of their own would never agree on a moment.
    if (!byLane.circuit.open && byAddress.circuit.open && byAddress.free(now) === 0) {
      const wait = byAddress.circuit.probeAt! - now;
      return { notFor: Number.isFinite(wait) ? Math.max(wait, NO_ROOM_MS) : NO_ROOM_MS, dead: true };
    }
    if (byLane.free(now) === 0) return { notFor: NO_ROOM_MS, dead: false };
    // Not before one that is under way may have ended: else a slow address has its backlog put off all the time.
    if (!byLane.circuit.open && byAddress.free(now) === 0) {
      return { notFor: Math.max(NO_ROOM_MS, byAddress.takes), dead: false };
    }
    byLane.begin(now);
    byAddress.begin(now);
    return {
      leave: (alive) => {
        const at = this.clock();
        const wasFull = byLane.free(at) === 0;
        byLane.end(alive, at, at - now);
        byAddress.end(alive, at, at - now);
        return { dead: byLane.circuit.open, wasFull };
      },
    };
  }

  /** Lets the next probe of a lane and an address go at once: somebody has asked for a delivery there. */
  hurry({ partnerUid, lane, address }: Destination): void {
    const receivers = this.#partners.get(partnerUid);
    receivers?.lanes.get(lane)?.circuit.hurry(this.clock());
    receivers?.addresses.get(address)?.circuit.hurry(this.clock());
  }

  /** The circuit that holds back what goes there: the lane's before the address's; `null` while neither is open. */
  circuitOf({ partnerUid, lane, address }: Destination): OpenCircuit | null {
    const receivers = this.#partners.get(partnerUid);
    const flows = [receivers?.lanes.get(lane), receivers?.addresses.get(address)];
    const circuit = flows.find((flow) => flow?.circuit.open)?.circuit;
    if (!circuit) return null;
    const { since, probeAt } = circuit;
    const ago = Date.now() - this.clock();
    return {
      since: new Date(ago + since),
      nextProbeAt: Number.isFinite(probeAt) ? new Date(ago + probeAt!) : null,
    };
  }

  /** Circuits that are open now, by lane and by address. */
  openCircuits(): { readonly lanes: number; readonly addresses: number } {
    const open = (flows: Map<string, Flow>) => [...flows.values()].filter((flow) => flow.circuit.open).length;
    const count = { lanes: 0, addresses: 0 };
    for (const { lanes, addresses } of this.#partners.values()) {
      count.lanes += open(lanes);
      count.addresses += open(addresses);
    }
    return count;
  }

  #receiversOf(partnerUid: string): Receivers {
    let receivers = this.#partners.get(partnerUid);
    if (!receivers) this.#partners.set(partnerUid, (receivers = { lanes: new Map(), addresses: new Map() }));
    return receivers;
  }
}

function flowOf(flows: Map<string, Flow>, key: string, most: number): Flow {
  let flow = flows.get(key);
  if (!flow) {
    if (flows.size >= MAX_FLOWS) forget(flows);
    flow = new Flow(most);
    flows.set(key, flow);
  }
  return flow;
}

/** Half of them: first those that nothing is held against, the longest unused first. */
function forget(flows: Map<string, Flow>): void {
  const unused = [...flows].filter(([, flow]) => flow.inFlight === 0);
  unused.sort(([, a], [, b]) => Number(b.idle) - Number(a.idle) || a.usedAt - b.usedAt);
  for (const [key] of unused.slice(0, MAX_FLOWS / 2)) flows.delete(key);
}
