import { formatBytes, STORED_DATA, type StoredData } from '#domain/stored-data.ts';
import { clearStored, storedBytes, unknownKeys } from '#stores/device/stored-data.ts';
import { notify } from '#stores/shell/toasts.ts';

type Place = Pick<StoredData, 'key' | 'where'>;

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-key]')];

const placeOf = ({ dataset }: HTMLElement): Place | undefined =>
  STORED_DATA.find(({ key, where }) => key === dataset.key && where === dataset.where);

async function render(row: HTMLElement): Promise<void> {
  const place = placeOf(row);
  const size = row.querySelector('[data-size]');
  const button = row.querySelector('button');
  if (!place || !size || !button) return;
  const bytes = await storedBytes(place);
  size.textContent = bytes === undefined ? 'Nothing kept' : formatBytes(bytes);
  button.toggleAttribute('data-nothing', bytes === undefined);
}

function renderUnknownKeys(): void {
  const note = document.querySelector<HTMLElement>('[data-unknown-keys]');
  if (note) note.hidden = unknownKeys().length === 0;
}

async function renderAll(): Promise<void> {
  renderUnknownKeys();
  await Promise.all(rows().map(render));
}

async function clearAll(places: readonly Place[]): Promise<void> {
  for (const place of places) await clearStored(place);
  await renderAll();
}

export function showStoredData(): void {
  for (const row of rows()) {
    row.querySelector('button')?.addEventListener('click', () => {
      const place = placeOf(row);
      if (!place) return;
      void clearAll([place]).then(() => {
        notify({ title: 'Deleted', text: row.querySelector('h2')?.textContent ?? '' });
        row.querySelector<HTMLElement>('h2')?.focus();
      });
    });
  }
  const dialog = document.querySelector<HTMLDialogElement>('[data-all-dialog]');
  document.querySelector('[data-all]')?.addEventListener('click', () => {
    if (!dialog) return;
    // Escape sets no return value, and only Chromium clears the previous one.
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog?.addEventListener('close', () => {
    if (dialog.returnValue !== 'delete') return;
    void clearAll([...STORED_DATA, ...unknownKeys()]).then(() =>
      notify({ title: 'Deleted', text: 'Nothing of this shop is kept on this device.' }),
    );
  });
  document.querySelector('[data-unknown-keys] button')?.addEventListener('click', () => {
    void clearAll(unknownKeys()).then(() => {
      notify({ title: 'Deleted', text: 'What an older version of this shop had left.' });
      document.getElementById('main')?.focus({ preventScroll: true });
    });
  });
  void renderAll();
  addEventListener('pageshow', ({ persisted }) => void (persisted && renderAll()));
}
