import { NO_CONNECTION, notify } from '#stores/shell/toasts.ts';

/**
 * Confirms or unsubscribes when the button is pressed, with the token after '#', and shows the part of the page that
 * says what came of it. The token stays in the address, so that a reload works; it can do nothing else.
 */
export function handleStep(): void {
  const page = document.querySelector<HTMLElement>('[data-newsletter-step]');
  const button = page?.querySelector('button');
  if (!page || !button) return;
  const token = location.hash.slice(1);
  button.addEventListener('click', async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    const { takeStep } = await import('#stores/newsletter/newsletter.ts').catch(() => ({
      takeStep: async () => {
        notify(NO_CONNECTION);
        return 'open' as const;
      },
    }));
    const step = page.dataset.newsletterStep === 'leave' ? 'leave' : 'confirm';
    const outcome = await takeStep(step, token);
    button.ariaDisabled = null;
    if (outcome === 'open') return;
    for (const part of page.querySelectorAll<HTMLElement>('[data-outcome]')) {
      part.hidden = part.dataset.outcome !== outcome;
      if (!part.hidden) part.querySelector('p')?.focus();
    }
  });
  // A newer link that is opened in this tab changes only the hash. So does the link that skips to the content, which
  // names an element, and must not cost a reload its token.
  addEventListener('hashchange', () => {
    if (document.getElementById(location.hash.slice(1))) history.replaceState(null, '', `#${token}`);
    else location.reload();
  });
}
