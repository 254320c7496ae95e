import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, listenOnLoopback } from './loopback.js';

/**
 * A proxy that hands each request to the next of several services; one that does not answer costs a 502, and no retry.
 */
export class RoundRobin {
  /** Requests that each service answered, in the order of the services. */
  readonly answered: number[];
  #next = 0;

  private constructor(
    private readonly listening: Listening,
    private readonly targets: readonly string[],
  ) {
    this.answered = targets.map(() => 0);
  }

  static async start(targets: readonly string[]): Promise<RoundRobin> {
    const server = createServer();
    const proxy = new RoundRobin(await listenOnLoopback(server), targets);
    server.on('request', (incoming, outgoing) => proxy.#pass(incoming, outgoing));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.listening.port}`;
  }

  stop(): Promise<void> {
    return this.listening.close();
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = this.#next++ % this.targets.length;
    const { method, headers, url } = incoming;
    const onward = request(new URL(url!, this.targets[target]), { method, headers, agent: false }, (answer) => {
      this.answered[target]! += 1;
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on('error', () => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    });
    incoming.pipe(onward);
  }
}
