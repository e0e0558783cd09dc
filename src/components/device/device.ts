import { STORED_DATA } from '#domain/stored-data.ts';
import { clearEverything, clearStored, isKept } from '#stores/device/stored-data.ts';
import { notify } from '#stores/shell/toasts.ts';

const rowOf = (index: number): HTMLElement | undefined =>
  document.querySelectorAll<HTMLElement>('[data-stored]')[index];

async function render(): Promise<void> {
  for (const [index, data] of STORED_DATA.entries()) {
    const row = rowOf(index);
    const kept = await isKept(data);
    row?.querySelector('[data-state]')?.replaceChildren(kept ? '' : 'Nothing kept');
    row?.querySelector('button')?.toggleAttribute('data-nothing', !kept);
  }
}

export function showStoredData(): void {
  for (const [index, data] of STORED_DATA.entries()) {
    const row = rowOf(index);
    row?.querySelector('button')?.addEventListener('click', async () => {
      await clearStored(data);
      await render();
      notify({ title: 'Deleted', text: data.title });
      row.querySelector('h2')?.focus();
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
    await clearEverything();
    await render();
    notify({ title: 'Deleted', text: 'Nothing of this shop is kept on this device.' });
  });
  void render();
  addEventListener('pageshow', ({ persisted }) => void (persisted && render()));
}
