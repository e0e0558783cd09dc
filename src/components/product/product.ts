import { runAfterLoad, whenPageIdle } from '#stores/shell/page-load.ts';
import { enhanceProduct } from './buy.ts';

const product = document.querySelector<HTMLElement>('[data-product]');
if (product) {
  enhanceProduct(product);
  whenPageIdle(() => void import('./refresh.ts').then(({ refreshProduct }) => refreshProduct(product)));
  // stale.ts, which handles failed imports, may not have loaded yet.
  runAfterLoad(
    () =>
      void import('./recent.ts').then(
        (recent) => recent.showRecent(product),
        () => {},
      ),
  );
}
