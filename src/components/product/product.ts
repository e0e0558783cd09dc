import { afterLoad } from '#components/after-load.ts';
import { whenQuiet } from '#components/quiet.ts';
import { tendProduct } from './buy.ts';

const product = document.querySelector<HTMLElement>('[data-product]');
if (product) {
  tendProduct(product);
  whenQuiet(() => void import('./refresh.ts').then(({ refreshProduct }) => refreshProduct(product)));
  // Asked for before the part of the shell that looks after such failures is there.
  afterLoad(
    () =>
      void import('./recent.ts').then(
        (recent) => recent.showRecent(product),
        () => {},
      ),
  );
}
