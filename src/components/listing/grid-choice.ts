import { writeStored } from '#stores/shell/storage.ts';
import { drawGrid, GRID_KEY, gridColumns } from './grid.ts';

const radioOf = (columns: string): HTMLInputElement | null =>
  document.querySelector(`[name=grid][value="${columns}"]`);

/** Two or three columns, kept on this device (spec 2, product listing). The first paint has drawn what was chosen last. */
export function tendGridChoice(): void {
  const radio = radioOf(gridColumns());
  if (radio) radio.checked = true;
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'grid') return;
    writeStored(GRID_KEY, target.value);
    drawGrid(target.value);
  });
}
