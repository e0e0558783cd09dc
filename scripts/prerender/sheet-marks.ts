import { toLatin1 } from '#scripts/publish/latin1.ts';
import type { Kept } from './kept.ts';

type Styles = Kept['styles'][number][1];

/** As Astro orders the style sheets of a page (astro/dist/core/build/runtime.js). */
function order(a: Styles[number], b: Styles[number]): number {
  if (a.order === -1 && b.order >= 0) return 1;
  if (b.order === -1 && a.order >= 0) return -1;
  if (a.order !== b.order) return a.order - b.order;
  if (a.depth === -1) return -1;
  return b.depth === -1 ? 1 : b.depth - a.depth;
}

/** The bundler orders the sheets of a page as it likes: the layers are said before any of them. */
const LAYERS = '@layer theme,base,components,utilities;';
const OPENING = '<style>';
const MARK = '/*sheet ';
const MARK_END = '*/';

/**
 * The sheets of a page as one: Astro would join them anew in each of ten thousand. While a page is made a mark stands
 * for them, so that they, a third of the page, are not encoded each time.
 */
export function sheetMarks() {
  const texts: string[] = [];
  return {
    mark(styles: Styles): { styles: Styles } {
      const sheets = [...styles].sort(order);
      const [first] = sheets;
      if (!first || sheets.some(({ sheet }) => sheet.content.includes('@import'))) return { styles: sheets };
      const number = texts.push(toLatin1(LAYERS + sheets.map(({ sheet }) => sheet.content).join(''))) - 1;
      return {
        styles: [{ ...first, sheet: { type: 'inline', content: `${MARK}${number}${MARK_END}` } }],
      };
    },
    /** Puts the sheet where its mark is. The page is given as bytes (latin1.ts). */
    fill(page: string): string {
      const start = page.indexOf(OPENING + MARK);
      if (start === -1) return page;
      const end = page.indexOf(MARK_END, start);
      const text = texts[Number(page.slice(start + OPENING.length + MARK.length, end))];
      if (text === undefined) throw new Error('A page names a style sheet that was not kept.');
      return page.slice(0, start + OPENING.length) + text + page.slice(end + MARK_END.length);
    },
  };
}
