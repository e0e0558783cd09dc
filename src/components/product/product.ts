import { whenIdle } from '#stores/idle.ts';
import { tendProduct } from './buy.ts';

const product = document.querySelector<HTMLElement>('[data-product]');
if (product) {
  tendProduct(product);
  whenIdle(() => void import('./refresh.ts').then(({ refreshProduct }) => refreshProduct(product)));
}
