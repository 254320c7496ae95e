const LINE_FEED = 0x0a;

/**
 * The lines of a file, without their line feeds. Nothing else ends one: `readline` would end it at U+2028 too, which
 * stands in texts of partners, and would read bytes that are no UTF-8 as a text.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let begun: Uint8Array[] = [];
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]);
      [begun, from] = [[], end + 1];
    }
    begun.push(chunk.subarray(from));
  }
  const last = Buffer.concat(begun);
  if (last.length > 0) yield last;
}
