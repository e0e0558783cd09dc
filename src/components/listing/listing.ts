import { whenPageIdle } from '#components/shell/idle-event.ts';
import { notify } from '#stores/shell/toasts.ts';
import { tendGridChoice } from './grid-choice.ts';

tendGridChoice();
document.querySelector('[data-try-again]')?.addEventListener('click', () => location.reload());
document.querySelector('[data-refine]')?.addEventListener('click', () => {
  import('./refine-panel.ts').then(
    ({ openPanel }) => openPanel(),
    () => notify({ title: 'No connection', text: 'Please try again.', tone: 'error' }),
  );
});

/** What draws cannot be had, so it is not there to say so either. */
function giveUp(): void {
  document.documentElement.classList.remove('listing-loading');
  for (const name of ['cards', 'failed']) {
    document.querySelector(`[data-listing-${name}]`)?.toggleAttribute('hidden', name === 'cards');
  }
}

if (document.documentElement.classList.contains('listing-loading')) import('./draw.ts').catch(giveUp);
else whenPageIdle(() => void import('./refresh.ts').then(({ refreshFirstPage }) => refreshFirstPage()));
