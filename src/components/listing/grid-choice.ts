import { writeStored } from '#stores/shell/storage.ts';
import { drawGrid, GRID_KEY, gridColumns } from './grid.ts';

const radioOf = (columns: string): HTMLInputElement | null =>
  document.querySelector(`[name=grid][value="${columns}"]`);

/** Stores the choice of two or three columns. early.ts applies it before the first paint. */
export function handleGridChoice(): void {
  const radio = radioOf(gridColumns());
  if (radio) radio.checked = true;
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'grid') return;
    writeStored(GRID_KEY, target.value);
    drawGrid(target.value);
  });
}
