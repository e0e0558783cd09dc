import { offlinePages } from '#stores/device/offline-pages.ts';

/** Lists the pages that open offline. Reloads the requested page once the network is back. */
export async function listOfflinePages(): Promise<void> {
  document.querySelector('[data-try-again]')?.addEventListener('click', () => location.reload());
  addEventListener('online', () => location.reload(), { once: true });
  const part = document.querySelector<HTMLElement>('[data-offline-pages]');
  const list = part?.querySelector('ul');
  const pages = await offlinePages();
  if (!part || !list || pages.length === 0) return;
  list.append(
    ...pages.map(({ title, path }) => {
      const link = document.createElement('a');
      link.href = path;
      link.className = 'inline-flex min-h-11 items-center font-semibold text-leaf';
      link.textContent = title;
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  part.hidden = false;
}
