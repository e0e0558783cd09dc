import type { Mistakes } from '#scripts/api/office/forms/field.ts';
import { sentText } from '#scripts/api/office/forms/parse.ts';

export const ROWS_A_PAGE = 16;

export interface Row {
  readonly id: string;
  /** The position that was shown. */
  readonly at: string;
  /** The position that is typed. */
  readonly to: string;
}

export function readRows(form: FormData): Row[] {
  const rows: Row[] = [];
  for (let index = 0; index < ROWS_A_PAGE && form.has(`id-${index}`); index += 1) {
    rows.push({
      id: sentText(form, `id-${index}`),
      at: sentText(form, `at-${index}`),
      to: sentText(form, `to-${index}`).trim(),
    });
  }
  return rows;
}

export interface Move {
  readonly id: string;
  /** The place among all products, from 0. */
  readonly to: number;
}

/**
 * The moves that a form asks for, or its mistakes.
 * @param order the ids of all products
 * @param found the ids that the page's filter finds, in the same order
 */
export function readMoves(
  form: FormData,
  rows: readonly Row[],
  order: readonly string[],
  found: readonly string[],
): readonly Move[] | Mistakes {
  const [, button = '', digits = ''] = /^(up|down)-(\d{1,2})$/.exec(sentText(form, 'do')) ?? [];
  if (button !== '') {
    const id = rows[Number(digits)]?.id ?? '';
    const neighbour = found[found.indexOf(id) + (button === 'up' ? -1 : 1)];
    return found.includes(id) && neighbour !== undefined ? [{ id, to: order.indexOf(neighbour) }] : [];
  }
  const mistakes = new Map<string, string>();
  const moves = rows.flatMap(({ id, at, to }, index): Move[] => {
    if (to === at || !order.includes(id)) return [];
    const position = /^\d{1,7}$/.test(to) ? Number(to) : 0;
    if (position >= 1 && position <= order.length) return [{ id, to: position - 1 }];
    mistakes.set(`to-${index}`, `Position must be a number from 1 to ${order.length}`);
    return [];
  });
  return mistakes.size > 0 ? mistakes : moves.toSorted((a, b) => a.to - b.to);
}

export const isMistakes = (moves: readonly Move[] | Mistakes): moves is Mistakes => moves instanceof Map;
