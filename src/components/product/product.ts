import { afterLoad } from '#components/shell/after-load.ts';
import { whenPageIdle } from '#components/shell/idle-event.ts';
import { tendProduct } from './buy.ts';

const product = document.querySelector<HTMLElement>('[data-product]');
if (product) {
  tendProduct(product);
  whenPageIdle(() => void import('./refresh.ts').then(({ refreshProduct }) => refreshProduct(product)));
  // Asked for before the part of the shell that looks after such failures is there.
  afterLoad(
    () =>
      void import('./recent.ts').then(
        (recent) => recent.showRecent(product),
        () => {},
      ),
  );
}
