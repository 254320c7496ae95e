import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/** The central bank's published document; it is no part of this project, so it may be absent. */
export const API_PIX_OPENAPI = resolve(process.env.API_PIX_OPENAPI ?? '../shared/vectors/api-pix/openapi.yaml');

export interface Exchange {
  readonly method: string;
  /** Under the API's base address, with its query. */
  readonly path: string;
  readonly requestBody: unknown;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly answerBody: unknown;
}

type Json = Record<string, any>;

/** Holds exchanges against the published document. */
export class ApiPixContract {
  readonly #ajv = new Ajv({ strict: false, allErrors: true });
  readonly #compiled = new Map<object, ValidateFunction>();

  private constructor(private readonly document: Json) {
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    // `uri` stands at locations too, which by their own example have no scheme.
    for (const format of ['int32', 'int64', 'uri', 'date']) this.#ajv.addFormat(format, true);
    this.#ajv.addSchema(document, 'api');
  }

  /** @returns `undefined` where the document is absent */
  static load(path = API_PIX_OPENAPI): ApiPixContract | undefined {
    return existsSync(path) ? new ApiPixContract(mended(parse(readFileSync(path, 'utf8')) as Json)) : undefined;
  }

  /** Everything in an exchange that the document does not allow. */
  violations({ method, path, requestBody, status, contentType, answerBody }: Exchange): string[] {
    const [pathname = '', query = ''] = path.split('?');
    const found = this.#operation(method, pathname);
    const where = `${method} ${pathname}`;
    if (!found) return [`${where}: no such operation`];
    const { operation, parameters, values } = found;
    const answer = this.#resolved(operation.responses[status]);
    const problems = [
      ...this.#parameterFaults(parameters, values, new URLSearchParams(query)),
      ...this.#bodyFaults(this.#resolved(operation.requestBody), 'application/json', requestBody, true),
      ...(answer ? this.#bodyFaults(answer, contentType, answerBody, false) : [`answer ${status} is not documented`]),
    ];
    return problems.map((problem) => `${where}: ${problem}`);
  }

  /** Everything in a notification of the PSP that the document does not allow. */
  notificationViolations(body: unknown): string[] {
    const webhook = this.document.paths['/webhook/{chave}'].put.callbacks.listaPix;
    const { requestBody } = webhook['{$request.body#/webhookUrl}/pix'].post;
    return this.#bodyFaults(this.#resolved(requestBody), 'application/json', body, false);
  }

  #operation(method: string, pathname: string) {
    const paths = Object.keys(this.document.paths as Json)
      .map((template) => ({ template, values: valuesOf(template, pathname) }))
      .filter(({ values }) => values !== undefined)
      .sort((one, other) => Object.keys(one.values!).length - Object.keys(other.values!).length);
    for (const { template, values } of paths) {
      const item = this.document.paths[template];
      const operation = item[method.toLowerCase()];
      // Payload locations are served under addresses of their own.
      if (!operation || operation.servers) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
        this.#resolved(one)!,
      );
      return { operation, parameters, values: values! };
    }
    return undefined;
  }

  #parameterFaults(parameters: Json[], values: Record<string, string>, query: URLSearchParams): string[] {
    const faults: string[] = [];
    const known = new Set(parameters.filter((one) => one.in === 'query').map((one) => one.name as string));
    for (const name of query.keys()) if (!known.has(name)) faults.push(`unknown parameter ${name}`);
    for (const { name, in: place, required, schema } of parameters) {
      const text = place === 'path' ? values[name] : query.get(name);
      if (text === null || text === undefined) {
        if (required) faults.push(`parameter ${name} is missing`);
        continue;
      }
      const { type } = this.#resolved(schema)!;
      const value = type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text;
      faults.push(...this.#faults(schema, value).map((fault) => `parameter ${name}: ${fault}`));
    }
    return faults;
  }

  /** @param strict also members that the document does not know: a PSP may add some, and need not take any */
  #bodyFaults(holder: Json | undefined, contentType: string | undefined, body: unknown, strict: boolean): string[] {
    const content = holder?.content as Json | undefined;
    if (!content) return body === undefined ? [] : ['a body that is not documented'];
    const type = contentType?.split(';')[0] ?? '';
    const schema = content[type]?.schema as Json | undefined;
    if (!schema) return [`content type ${type} is not documented`];
    return [...this.#faults(schema, body), ...(strict ? this.#unknownMembers(schema, body, '') : [])];
  }

  #faults(schema: Json, value: unknown): string[] {
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(schema);
    this.#compiled.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
  }

  #unknownMembers(schema: Json, value: unknown, path: string): string[] {
    const parts = this.#parts(schema);
    if (Array.isArray(value)) {
      const items = parts.find((part) => part.items)?.items as Json | undefined;
      return items ? value.flatMap((one, i) => this.#unknownMembers(items, one, `${path}/${i}`)) : [];
    }
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      const known = parts.flatMap((part) => (part.properties?.[name] ? [part.properties[name] as Json] : []));
      if (known.length === 0) return [`${path}/${name} is not a member`];
      return this.#unknownMembers({ allOf: known }, member, `${path}/${name}`);
    });
  }

  /** A schema and all that it is put together of. */
  #parts(schema: Json): Json[] {
    const own = this.#resolved(schema)!;
    const inside = [...(own.allOf ?? []), ...(own.oneOf ?? []), ...(own.anyOf ?? [])] as Json[];
    return [own, ...inside.flatMap((part) => this.#parts(part))];
  }

  #resolved(value: Json | undefined): Json | undefined {
    if (value?.$ref === undefined) return value;
    const names = (value.$ref as string).replace('api#/', '').split('/');
    return this.#resolved(names.reduce((inside: Json, name) => inside[name], this.document));
  }
}

function valuesOf(template: string, pathname: string): Record<string, string> | undefined {
  const expression = template.replace(/[.]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${expression}$`).exec(pathname);
  if (!match) return undefined;
  return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]));
}

/**
 * The document with what is plainly a slip in version 2.9.0 mended: patterns of CPF are written with the slashes of
 * JavaScript around them, and the list of `GET /pix` demands a member `cobs`. References become absolute.
 */
function mended(document: Json): Json {
  const text = JSON.stringify(document, (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') return value.replace(/^\/(.*)\/$/, '$1');
    if (name === '$ref' && typeof value === 'string') return value.replace(/^#\//, 'api#/');
    return value;
  });
  const copy = JSON.parse(text) as Json;
  copy.components.schemas.PixConsultados.required = ['parametros', 'pix'];
  return copy;
}
