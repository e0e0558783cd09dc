import { whenPageIdle } from '#components/shell/idle-event.ts';
import { NO_CONNECTION, notify } from '#stores/shell/toasts.ts';
import { handleGridChoice } from './grid-choice.ts';

handleGridChoice();
document.querySelector('[data-try-again]')?.addEventListener('click', () => location.reload());
document.querySelector('[data-refine]')?.addEventListener('click', () => {
  import('./refine-panel.ts').then(
    ({ openPanel }) => openPanel(),
    () => notify(NO_CONNECTION),
  );
});

/** Shows the failure when the script that draws the listing, and its failures, cannot be loaded. */
function showLoadFailure(): void {
  document.documentElement.classList.remove('listing-loading');
  for (const name of ['cards', 'failed']) {
    document.querySelector(`[data-listing-${name}]`)?.toggleAttribute('hidden', name === 'cards');
  }
}

if (document.documentElement.classList.contains('listing-loading'))
  import('./draw.ts').catch(showLoadFailure);
else whenPageIdle(() => void import('./refresh.ts').then(({ refreshFirstPage }) => refreshFirstPage()));
