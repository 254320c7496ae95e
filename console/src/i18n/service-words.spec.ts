import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { portuguese } from './portuguese.js';
import { ERRORS, EVENTS, FAULTS } from './service-words.js';

const read = (page: string) => readFileSync(`docs/${page}.md`, 'utf8');
const section = (page: string, title: string) => read(page).split(`## ${title}\n`)[1]!.split('\n## ')[0]!;
/** Of `a`, `b` in one cell, both. */
const firstCellsOf = (text: string) =>
  [...text.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell]) => cell!.match(/[\w-]+\.\w+/g) ?? []);
const firstCells = (text: string) => [...text.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name!);

it('has every error name and reason of the service in Portuguese', () => {
  const names = new Set([...firstCells(section('errors', 'Names')), ...firstCells(section('errors', 'Reasons'))]);
  expect(names.size).toBeGreaterThan(40);
  expect([...names].filter((name) => !(name in ERRORS))).toEqual([]);
});

it('has every fault code in Portuguese', () => {
  const [, list] = /^(.*?)\. `info`/s.exec(section('errors', 'Codes of a validation fault').trim())!;
  const codes = [...list!.matchAll(/`(\w+)`/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(8);
  expect(codes.filter((code) => !(code in FAULTS))).toEqual([]);
});

it('has a name for every event of the log', () => {
  const types = [...read('events').matchAll(/^## (\w+)$/gm)].map(([, type]) => type!);
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((type) => !(type in EVENTS))).toEqual([]);
});

it('has what accounts are told in Portuguese', () => {
  const types = firstCellsOf(section('webhooks', 'What an account is told'));
  expect(types.length).toBeGreaterThan(15);
  expect(types.filter((type) => !(type in portuguese))).toEqual([]);
});
