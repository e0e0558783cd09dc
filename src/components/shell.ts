import { readStored } from '#stores/storage.ts';
import { afterLoad } from './after-load.ts';
import { answerAddButtons } from './shell/add.ts';
import { keepBadges } from './shell/badge.ts';
import { showToasts } from './shell/toasts.ts';

/* The small script of every page. */

/** A part that cannot be loaded is left out. */
const ignore = (): void => {};

if (readStored('language')) import('./shell/hindi.ts').catch(ignore);
answerAddButtons();
keepBadges();
showToasts();
afterLoad(() => void import('./shell/later.ts').then((later) => later.afterwards(), ignore));
