/** What must not be found somewhere, in every form that it might take there. */
export class Markers {
  readonly #forms = new Map<string, readonly string[]>();

  /** @param also other spellings: a tax number with punctuation */
  add(name: string, text: string, ...also: readonly string[]): string {
    const spellings = [text, ...also];
    this.#forms.set(name, [...new Set(spellings.flatMap(formsOf))]);
    return text;
  }

  get size(): number {
    return this.#forms.size;
  }

  /**
   * Names of the markers that a text has in it. @param unless texts that may have them: what somebody sent gets back
   */
  in(text: string, unless = ''): string[] {
    const [where, allowed] = [text.toLowerCase(), unless.toLowerCase()];
    return [...this.#forms]
      .filter(
        ([, forms]) => forms.some((form) => where.includes(form)) && !forms.some((form) => allowed.includes(form)),
      )
      .map(([name]) => name);
  }
}

/** As it is, as hexadecimal, and the part of its base64 that does not depend on what stands before it. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const encoded = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return whole.slice(before === 0 ? 0 : 4, -1);
  });
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), bytes.toString('hex'), ...encoded].map(
    (one) => one.toLowerCase(),
  );
}
