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

/** The sheets of a page as one: Astro would join them anew in each of ten thousand. */
export function oneSheet(styles: Styles): { styles: Styles } {
  const sheets = [...styles].sort(order);
  const [first] = sheets;
  if (!first || sheets.some(({ sheet }) => sheet.content.includes('@import'))) return { styles: sheets };
  const content = sheets.map(({ sheet }) => sheet.content).join('');
  return { styles: [{ ...first, sheet: { type: 'inline', content } }] };
}
