export const GRID_KEY = 'grid';
/** On the document's element, so that it holds before the grid is there. */
const CLASS = 'grid-2';

const { classList } = document.documentElement;

export const drawGrid = (columns: string | null): void => {
  classList.toggle(CLASS, columns === '2');
};

export const gridColumns = (): '2' | '3' => (classList.contains(CLASS) ? '2' : '3');
