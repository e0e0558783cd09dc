export const GRID_KEY = 'grid';
/** On the document's element, so that it holds before the grid is there. */
const CLASS = 'grid-2';

export const drawGrid = (columns: string | null): void => {
  document.documentElement.classList.toggle(CLASS, columns === '2');
};
