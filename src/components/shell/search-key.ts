import { paths } from '#paths.ts';

const TYPING = 'input, textarea, select, [contenteditable]';

/** The key '/' opens the search page, or focuses its field if the page is open. */
export function handleSearchKey(): void {
  addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    if (key !== '/' || altKey || ctrlKey || metaKey) return;
    if (target instanceof Element && target.closest(TYPING)) return;
    event.preventDefault();
    const field = document.querySelector<HTMLInputElement>('[data-search] [name=q]');
    if (field) field.select();
    else location.assign(paths.search);
  });
}
