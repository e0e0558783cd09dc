import * as v from 'valibot';
import type { PageFacts } from './page-facts.ts';

/*
 * Facts of many pages as one text. Nearly all of a page's facts are those of every other one, so each text is written
 * once, and pages name it by its number.
 */

const Numbers = v.array(v.number());
const Encoded = v.object({
  texts: v.array(v.string()),
  pages: v.array(
    v.tuple([
      v.string(),
      v.object({
        s: Numbers,
        t: Numbers,
        f: Numbers,
        l: Numbers,
        j: Numbers,
        n: v.boolean(),
        b: v.boolean(),
      }),
    ]),
  ),
});

export type EncodedFacts = v.InferOutput<typeof Encoded>;

export function encodeFacts(facts: ReadonlyMap<string, PageFacts>): EncodedFacts {
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const pages = [...facts].map(([name, page]): EncodedFacts['pages'][number] => [
    name,
    {
      s: page.scripts.map(numberOf),
      t: page.styles.map(numberOf),
      f: page.forbidden.map(numberOf),
      l: page.links.map(numberOf),
      j: page.scriptFiles.map(numberOf),
      n: page.noindex,
      b: page.badData,
    },
  ]);
  return { texts: [...numbers.keys()], pages };
}

/** @throws where it is no such text */
export function decodeFacts(encoded: unknown): Map<string, PageFacts> {
  const { texts, pages } = v.parse(Encoded, encoded);
  const all = (numbers: readonly number[]): string[] => numbers.map((number) => texts[number] ?? '');
  return new Map(
    pages.map(([name, { s, t, f, l, j, n, b }]) => [
      name,
      {
        scripts: all(s),
        styles: all(t),
        forbidden: all(f),
        links: all(l),
        scriptFiles: all(j),
        noindex: n,
        badData: b,
      },
    ]),
  );
}
