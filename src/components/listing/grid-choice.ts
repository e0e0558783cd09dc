import { writeStored } from '#stores/storage.ts';
import { drawGrid, GRID_KEY } from './grid.ts';

/** Two or three columns, kept on this device (spec 2, product listing). */
export function chooseGrid(columns: string): void {
  writeStored(GRID_KEY, columns);
  drawGrid(columns);
}
