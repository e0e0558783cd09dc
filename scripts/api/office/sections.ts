import type { Section } from './page.ts';

/** The navigation in its order. A section is shown to who may open it, once `pages.ts` has a page of its path. */
export const SECTIONS: readonly Section[] = [
  { name: 'Orders', path: '/orders', access: ['packer'] },
  { name: 'Catalogue', path: '/catalogue', access: ['editor'] },
  { name: 'Store', path: '/store', access: ['editor'] },
  { name: 'Policies', path: '/policies', access: ['editor'] },
  { name: 'Publish', path: '/publish', access: ['editor'] },
  { name: 'Staff', path: '/staff', access: ['owner'] },
  { name: 'Log', path: '/log', access: ['owner'] },
];
