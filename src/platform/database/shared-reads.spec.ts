import { expect, it } from '@jest/globals';
import { SharedReads } from './shared-reads.js';

/** A read that ends when it is told to. */
function world() {
  const reads = new SharedReads<number>();
  const begun: PromiseWithResolvers<number>[] = [];
  const ask = (key: string) =>
    reads.run(key, () => {
      const one = Promise.withResolvers<number>();
      begun.push(one);
      return one.promise;
    });
  return { begun, ask };
}
const turn = () => new Promise((resume) => setImmediate(resume));

it('those who ask while a read is in progress share the next one, which begins after it', async () => {
  const { begun, ask } = world();
  const first = ask('a');
  const [second, third] = [ask('a'), ask('a')];
  expect(begun).toHaveLength(1);
  begun[0]!.resolve(1);
  await expect(first).resolves.toBe(1);
  await turn();
  expect(begun).toHaveLength(2);
  const fourth = ask('a');
  begun[1]!.resolve(2);
  await expect(Promise.all([second, third])).resolves.toEqual([2, 2]);
  await turn();
  begun[2]!.resolve(3);
  await expect(fourth).resolves.toBe(3);
  await turn();
  void ask('a');
  expect(begun).toHaveLength(4);
});

it('reads of different keys share nothing', () => {
  const { begun, ask } = world();
  void ask('a');
  void ask('b');
  expect(begun).toHaveLength(2);
});

it('an error is that of those who shared the read, and of nobody after', async () => {
  const { begun, ask } = world();
  const first = ask('a');
  const [second, third] = [ask('a'), ask('a')];
  begun[0]!.reject(new Error('first'));
  await expect(first).rejects.toThrow('first');
  await turn();
  begun[1]!.reject(new Error('second'));
  await expect(Promise.allSettled([second, third])).resolves.toMatchObject([
    { reason: { message: 'second' } },
    { reason: { message: 'second' } },
  ]);
  await turn();
  const fourth = ask('a');
  begun[2]!.resolve(4);
  await expect(fourth).resolves.toBe(4);
});
