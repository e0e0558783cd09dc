import { NO_CONNECTION, notify } from '#stores/shell/toasts.ts';

/**
 * Confirms or unsubscribes when the button is pressed, with the token after '#'. The token stays in the address, so
 * that a reload works; it can do nothing else.
 */
export function handleStep(): void {
  const page = document.querySelector<HTMLElement>('[data-newsletter-step]');
  const button = page?.querySelector('button');
  if (!page || !button) return;
  button.addEventListener('click', async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    const { takeStep } = await import('#stores/newsletter/newsletter.ts').catch(() => ({
      takeStep: async () => {
        notify(NO_CONNECTION);
        return false;
      },
    }));
    const step = page.dataset.newsletterStep === 'leave' ? 'leave' : 'confirm';
    const isDone = await takeStep(step, location.hash.slice(1));
    button.ariaDisabled = null;
    if (!isDone) return;
    for (const part of page.children) if (part instanceof HTMLElement) part.hidden = !part.hidden;
    page.querySelector<HTMLElement>('[data-done]')?.focus();
  });
}
