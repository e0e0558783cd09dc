import { notify, withdraw } from './toasts.ts';

const REFUSED = {
  title: 'Could not copy',
  text: 'Select the text and copy it yourself.',
  tone: 'error',
} as const;

/** Copies a text and shows a notice of the result. Pages without https cannot use the clipboard. */
export async function copyText(text: string, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    withdraw(REFUSED);
    notify({ title: 'Copied', text: copied });
  } catch {
    notify(REFUSED);
  }
}
