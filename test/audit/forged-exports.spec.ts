import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseVerifier } from '../../src/audit/checkpoints/note.js';
import { ImportVerifier } from '../../src/audit/transport/import-verifier.js';

const page = readFileSync('docs/audit-format.md', 'utf8');
const block = (name: string) => new RegExp(`\`\`\`\\w+ ${name}\n([\\s\\S]*?)\n\`\`\``).exec(page)![1]!;
const vkey = block('vkey');

function verify(text: string) {
  const verifier = new ImportVerifier([parseVerifier(vkey)]);
  for (const line of text.split('\n')) verifier.take(line);
  return verifier.finish();
}

type Forge = (text: string) => string;
const swap =
  (from: string | RegExp, to: string): Forge =>
  (text) =>
    text.replace(from, to);
const lines =
  (change: (all: string[]) => string[]): Forge =>
  (text) =>
    change(text.split('\n')).join('\n');

/** What is done to the page's example, and what is said of it. */
const FORGED: readonly (readonly [what: string, forge: Forge, message: RegExp])[] = [
  ['a partition given twice', lines((all) => [...all.slice(0, -1), ...all.slice(1)]), /given twice/],
  ['a member given twice', swap('"version":1', '"version":9,"version":1'), /given twice/],
  ['a kind given twice', swap('{"kind":"event"', '{"kind":"header","kind":"event"'), /given twice/],
  ['an unknown kind', lines((all) => all.toSpliced(2, 0, '{"kind":"note"}')), /no kind "note"/],
  ['a kind of the prototype', lines((all) => all.toSpliced(2, 0, '{"kind":"constructor"}')), /no kind "constructor"/],
  ['an unknown member', swap('"complete":', '"sure":true,"complete":'), /sure is no member/],
  ['a member left out', swap('"schemaVersion":1,', ''), /schemaVersion is not/],
  ['a leading zero of a position', swap('"position":"1"', '"position":"01"'), /position is not/],
  ['a position that is a number', swap('"position":"1"', '"position":1'), /position is not/],
  ['a position of zero', swap('"position":"1"', '"position":"0"'), /position is not/],
  ['a version with a fraction', swap('"version":1', '"version":1.0'), /one form/],
  ['a version as a power', swap('"version":1', '"version":1e0'), /one form/],
  ['a version that is text', swap('"version":1', '"version":"1"'), /version is not/],
  ['a negative time', swap('"time":1', '"time":-1'), /time is not/],
  ['white space', swap('"version":1', '"version": 1'), /one form/],
  ['an escape more', swap('AccountActivated"', 'AccountActivate\\u0064"'), /one form/],
  ['an upper case id', swap('"id":"019aa1d0', '"id":"019AA1D0'), /id is not/],
  ['data that is no JSON', swap('"data":"{', '"data":"{{'), /cannot be read/],
  ['data that is a list', swap(/"data":"\{.*?\}","metadata"/, '"data":"[]","metadata"'), /data is not/],
  ['a list in place of a line', lines((all) => all.toSpliced(2, 0, '[]')), /no object/],
  ['null in place of a line', lines((all) => all.toSpliced(2, 0, 'null')), /no object/],
  ['a line that is empty', lines((all) => all.toSpliced(2, 0, '')), /cannot be read/],
  ['a second header', lines((all) => [all[0]!, ...all]), /out of place/],
  ['no header', lines((all) => all.slice(1)), /out of place/],
  ['another format', swap('export/1"', 'export/2"'), /format is not/],
  ['a partner that is none', swap('"partner":null', '"partner":"x"'), /partner is not/],
  ['no end', lines((all) => all.slice(0, -1)), /no end/],
  ['two ends', lines((all) => [...all, all.at(-1)!]), /after the end/],
  ['an end that counts more', swap('"events":3', '"events":4'), /the end counts 4/],
  ['an event left out', lines((all) => all.toSpliced(3, 1)), /position 3 after 1/],
  ['the last event left out', lines((all) => all.toSpliced(4, 1)), /2 events of 3/],
  ['an event twice', lines((all) => all.toSpliced(3, 0, all[3]!)), /position 2 after 2/],
  ['events in another order', lines((all) => [...all.slice(0, 2), all[3]!, all[2]!, ...all.slice(4)]), /position 2/],
  ['an event before its checkpoint', lines((all) => all.toSpliced(1, 2, all[2]!, all[1]!)), /without its checkpoint/],
  ['an event of another partition', swap('"event","partition":1', '"event","partition":2'), /without its checkpoint/],
  ['a checkpoint of another partition', swap('"checkpoint","partition":1', '"checkpoint","partition":2'), /not of/],
  ['another amount', swap('-1050', '-1051'), /not those that were signed/],
  ['another time', swap('"time":1763', '"time":1764'), /not those that were signed/],
  ['another actor', swap('operator:ana', 'operator:eva'), /not those that were signed/],
  ['another size', swap('partition-1\\n3\\n', 'partition-1\\n2\\n'), /no good signature/],
  ['another root', swap('\\noxSE', '\\noxSF'), /no good signature/],
  ['another origin', swap('"note":"partner', '"note":"partnex'), /no good signature/],
  ['no signature', swap(/\\n\\n— .*?\\n"/, '\\n"'), /no signature/],
  ['another signature', swap(' H+ZL6sSNe9', ' H+ZL6sSNe8'), /no good signature/],
  ['a bad one beside it', swap(/(— \S+ )(H\+ZL6s)(\S+=)\\n"/, '$1$2$3\\n$1$2T$3\\n"'), /no good signature/],
];

describe('an export', () => {
  it('as the page has it is accepted', () => {
    expect(verify(block('export')).problems).toEqual([]);
    expect(verify(block('partial')).problems).toEqual([]);
  });

  it.each(FORGED)('with %s is refused', (_what, forge, message) => {
    const forged = forge(block('export'));
    expect(forged).not.toBe(block('export'));
    expect(verify(forged)).toMatchObject({ ok: false });
    expect(verify(forged).problems.join('\n')).toMatch(message);
  });

  it.each<readonly [string, Forge, RegExp]>([
    ['a hash left out', swap(/,"UN7o[^"]*"/, ''), /not the one/],
    ['a hash too many', swap('"proof":[', `"proof":["${'A'.repeat(43)}=",`), /not the one/],
    ['the hashes in another order', swap(/"proof":\[(.*?),(.*?)\]/, '"proof":[$2,$1]'), /not the one/],
    ['a hash in another form', swap('c9QEA=', 'c9QEB='), /proof is not/],
    ['a short hash', swap('"b+Sc', '"'), /proof is not/],
    ['no proof', swap(/,"proof":\[.*?\]/, ''), /not the one/],
    ['another position', swap('"position":"2"', '"position":"3"'), /not the one/],
    ['a position beyond the tree', swap('"position":"2"', '"position":"4"'), /not the one/],
    ['the claim to be complete', swap('"complete":false', '"complete":true'), /position 2 after 0/],
  ])('in part with %s is refused', (_what, forge, message) => {
    const forged = forge(block('partial'));
    expect(forged).not.toBe(block('partial'));
    expect(verify(forged).problems.join('\n')).toMatch(message);
  });
});
