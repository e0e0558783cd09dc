export const GRID_KEY = 'grid';
/** Set on the root element, so that it applies before the grid is parsed. */
const CLASS = 'grid-2';

const { classList } = document.documentElement;

export const renderGrid = (columns: string | null): void => {
  classList.toggle(CLASS, columns === '2');
};

export const gridColumns = (): '2' | '3' => (classList.contains(CLASS) ? '2' : '3');
