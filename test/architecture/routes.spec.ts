import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../support/api-document.js';
import { type InProcess, startWithDatabase } from '../support/in-process.js';

let service: InProcess;

beforeAll(async () => {
  service = await startWithDatabase();
}, 60_000);

afterAll(() => service?.close());

/** Of its methods, inherited ones too: routes of operators and auditors that answer the same share a class. */
function namesOf(prototype: object | null): string[] {
  if (prototype === null || prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return [...new Set([...own, ...namesOf(Object.getPrototypeOf(prototype) as object | null)])];
}

/** `get /partners-int/accounts/{uid}` for every handler of every controller, documented or hidden. */
function routesOf({ app }: InProcess): string[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const { prototype } = metatype as { prototype: Record<string, unknown> };
    const base = Reflect.getMetadata(PATH_METADATA, metatype as object) as string;
    return namesOf(prototype)
      .map((name) => prototype[name] as object)
      .filter((handler) => typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler))
      .map((handler) => {
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!.toLowerCase();
        const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`;
        return `${method} ${path
          .replace(/\/+/g, '/')
          .replace(/(?<=.)\/$/, '')
          .replace(/:(\w+)/g, '{$1}')}`;
      });
  });
}

describe('the OpenAPI document', () => {
  it('has every route of every controller: none is hidden from the tests that are made from it', () => {
    const routes = routesOf(service);
    expect(routes.length).toBeGreaterThan(40);
    expect(routes.sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
  });
});
