import { readStored, writeStored } from '#stores/storage.ts';

const KEY = 'grid';
/** On the document's element, so that it holds before the grid is there. */
const CLASS = 'grid-2';

const draw = (columns: string | null): void => {
  document.documentElement.classList.toggle(CLASS, columns === '2');
};

/** Two or three columns, as the visitor chose last (spec 2, product listing). */
export function restoreGrid(): void {
  const columns = readStored(KEY);
  draw(columns);
  const radio = document.querySelector<HTMLInputElement>(`[name=grid][value="${columns === '2' ? 2 : 3}"]`);
  if (radio) radio.checked = true;
}

export function chooseGrid(columns: string): void {
  writeStored(KEY, columns);
  draw(columns);
}
