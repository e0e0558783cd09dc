import { whenQuiet } from '#components/quiet.ts';
import { chooseGrid } from './grid-choice.ts';

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'grid') chooseGrid(target.value);
});
document.querySelector('[data-try-again]')?.addEventListener('click', () => location.reload());

if (document.documentElement.classList.contains('listing-loading')) void import('./draw.ts');
else whenQuiet(() => void import('./refresh.ts').then(({ refreshFirstPage }) => refreshFirstPage()));
