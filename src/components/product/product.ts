import { whenIdle } from '#stores/idle.ts';
import { tendProduct } from './buy.ts';
import { pageStores } from './page-stores.ts';

const product = document.querySelector<HTMLElement>('[data-product]');
if (product) {
  tendProduct(product, pageStores);
  whenIdle(() => void import('./refresh.ts').then(({ refreshProduct }) => refreshProduct(product)));
}
