import { whenPageIdle } from '#stores/shell/page-load.ts';
import { writeStored } from '#stores/shell/storage.ts';
import { NO_CONNECTION, notify } from '#stores/shell/toasts.ts';
import { GRID_KEY, gridColumns, renderGrid } from './grid.ts';

const radioOf = (columns: string): HTMLInputElement | null =>
  document.querySelector(`[name=grid][value="${columns}"]`);

/** Stores the choice of two or three columns. early.ts applies it before the first paint. */
function handleGridChoice(): void {
  const radio = radioOf(gridColumns());
  if (radio) radio.checked = true;
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'grid') return;
    writeStored(GRID_KEY, target.value);
    renderGrid(target.value);
  });
}

handleGridChoice();
document.querySelector('[data-try-again]')?.addEventListener('click', () => location.reload());
document.querySelector('[data-refine]')?.addEventListener('click', () => {
  import('./refine-panel.ts').then(
    ({ openPanel }) => openPanel(),
    () => notify(NO_CONNECTION),
  );
});

function showLoadFailure(): void {
  document.documentElement.classList.remove('listing-loading');
  for (const name of ['cards', 'failed']) {
    document.querySelector(`[data-listing-${name}]`)?.toggleAttribute('hidden', name === 'cards');
  }
}

if (document.documentElement.classList.contains('listing-loading'))
  import('./render.ts').catch(showLoadFailure);
else whenPageIdle(() => void import('./refresh.ts').then(({ refreshFirstPage }) => refreshFirstPage()));
