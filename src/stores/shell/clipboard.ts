import { clearNotice, notify } from './toasts.ts';

const REFUSED = {
  title: 'Could not copy',
  text: 'Select the text and copy it yourself.',
  tone: 'error',
} as const;

/** Copies a text and shows the result. Pages without https have no clipboard. */
export async function copyText(text: string, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    clearNotice(REFUSED);
    notify({ title: 'Copied', text: copied });
  } catch {
    notify(REFUSED);
  }
}
