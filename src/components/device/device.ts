import { clearEverything, clearStored, isKept, type StoredPlace } from '#stores/device/stored-data.ts';
import { notify } from '#stores/shell/toasts.ts';

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-stored]')];

/** The page's rows say what is where, because a list of them would double its bytes. */
const placeOf = ({ dataset }: HTMLElement): StoredPlace => ({
  where: dataset.where ?? '',
  key: dataset.stored ?? '',
});

async function render(): Promise<void> {
  for (const row of rows()) {
    const kept = await isKept(placeOf(row));
    row.querySelector('[data-state]')?.replaceChildren(kept ? '' : 'Nothing kept');
    row.querySelector('button')?.toggleAttribute('data-nothing', !kept);
  }
}

export function showStoredData(): void {
  for (const row of rows()) {
    const title = row.querySelector('h2');
    row.querySelector('button')?.addEventListener('click', async () => {
      await clearStored(placeOf(row));
      await render();
      notify({ title: 'Deleted', text: title?.textContent.trim() ?? '' });
      title?.focus();
    });
  }
  const dialog = document.querySelector<HTMLDialogElement>('[data-all-dialog]');
  document.querySelector('[data-all]')?.addEventListener('click', () => {
    if (!dialog) return;
    // Escape sets no return value, and only Chromium clears the previous one.
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog?.addEventListener('close', async () => {
    if (dialog.returnValue !== 'delete') return;
    await clearEverything(rows().map(placeOf));
    await render();
    notify({ title: 'Deleted', text: 'Nothing of this shop is kept on this device.' });
  });
  void render();
  addEventListener('pageshow', ({ persisted }) => void (persisted && render()));
}
