import { expect } from '@jest/globals';
import { type Answer, call, OperatorApi } from './api.js';
import { parametersOf, type Route, undocumented } from './api-document.js';
import { createDatabase, type TestDatabase } from './database.js';
import { identifiersOf, stock, type Stocked } from './marketplace.js';
import { type Service, startService } from './service.js';

/** A service with one of everything in it, asked on every route by who may, and by who may not. */
export class AccessWorld {
  #refused = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly service: Service,
    readonly operator: OperatorApi,
    readonly ours: Stocked,
    /** An auditor of all partners. */
    readonly everything: { readonly id: string; readonly token: string },
  ) {}

  static async start(): Promise<AccessWorld> {
    const database = await createDatabase();
    const service = await startService(database.url, { TRUSTED_PROXIES: '127.0.0.1' });
    const operator = new OperatorApi(service.url);
    const ours = await stock(service, 'order-1', 'http://127.0.0.1:65535/hook');
    return new AccessWorld(database, service, operator, ours, await operator.post('/auditors', { name: 'Everything' }));
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.database.drop();
  }

  /** A route with identifiers of ours in it, so that nothing but the credential is wrong. */
  pathOf(route: Route): string {
    const ids = identifiersOf(this.ours);
    const own = { uid: ids.account, id: ids.paidCashIn, accessKey: ids.accessKey, partition: '0' } as Record<
      string,
      string
    >;
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? ids.transfer!);
    const query = parametersOf(route, 'query').filter(({ required }) => required);
    return query.length === 0 ? path : `${path}?${query.map(({ name }) => `${name}=1`).join('&')}`;
  }

  attempt(route: Route, headers: Record<string, string> = {}, url = this.service.url): Promise<Answer> {
    const body = route.method === 'get' ? undefined : {};
    return call(url, route.method.toUpperCase(), this.pathOf(route), { headers, body });
  }

  /** Nothing is said but that the credential is wrong, and nothing is done. */
  async expectRefused(route: Route, why: string, authorization?: string): Promise<void> {
    // From somewhere else each time: guesses of one address are slowed down, which is another suite's matter.
    const elsewhere = {
      'x-forwarded-for': `10.${(this.#refused >> 16) & 255}.${(this.#refused >> 8) & 255}.${this.#refused++ & 255}`,
    };
    const answer = await this.attempt(route, { ...elsewhere, ...(authorization !== undefined && { authorization }) });
    const told = { route: route.name, why, status: answer.status, name: answer.body.error?.name };
    expect(told).toEqual({ route: route.name, why, status: 401, name: 'AuthenticationError' });
    expect(Object.keys(answer.body.error).sort()).toEqual(['message', 'name']);
    expect(undocumented(route, answer)).toBeUndefined();
  }

  /** How many events there are. */
  async events(): Promise<number> {
    const [row] = await this.database.query<{ events: string }>('select count(*) as events from event');
    return Number(row!.events);
  }
}
