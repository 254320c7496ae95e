import 'reflect-metadata';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readAsDeclared } from '../../src/platform/http/as-declared.js';
import { readCompiled } from '../../src/platform/http/compiled.js';
import type { Dto } from '../../src/platform/http/rules.js';
import { validate } from '../../src/platform/http/validation.js';
import { mutations } from '../support/body-mutations.js';
import { GOOD_BODIES } from '../support/good-bodies.js';

it('has an example for every class that a route reads', () => {
  const sources = globSync('src/**/*.ts', { exclude: ['**/*.spec.ts'] }).map((file) => readFileSync(file, 'utf8'));
  const read = sources.flatMap((text) =>
    [...text.matchAll(/\b(?:ValidBody|validate)\((\w+Dto)/g)].map(([, name]) => name),
  );
  const examples = GOOD_BODIES.map(([, name]) => name);
  expect(read.length).toBeGreaterThan(10);
  expect(read.filter((name) => !examples.includes(name!))).toEqual([]);
});

describe('a body that is read by the compiled rules', () => {
  it.each(GOOD_BODIES)('is judged as class-transformer and class-validator do: %s %s', async (file, name, good) => {
    const dto = ((await import(`../../src/${file}`)) as Record<string, Dto>)[name]!;
    const answer = (body: unknown, read: typeof readCompiled) => {
      try {
        return JSON.stringify(validate(dto, body, undefined, read), sorted);
      } catch (error) {
        return JSON.stringify([error, (error as { details?: unknown }).details]);
      }
    };
    expect(answer(good, readCompiled)).not.toContain('not valid');
    let seen = 0;
    for (const body of mutations(good, 300)) {
      const compiled = answer(body, readCompiled);
      if (compiled !== answer(body, readAsDeclared))
        expect([body, compiled]).toEqual([body, answer(body, readAsDeclared)]);
      seen++;
    }
    expect(seen).toBeGreaterThan(300);
  });
});

/**
 * Members in another order are the same. class-transformer drops these inside of a member without a rule, which the
 * cross-check refuses with them and without.
 */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name]) => !['constructor', 'toString', '__proto__'].includes(name));
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
