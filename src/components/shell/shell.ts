import { readStored } from '#stores/shell/storage.ts';
import { answerAddButtons } from './add.ts';
import { afterLoad } from './after-load.ts';
import { keepBadges } from './badge.ts';
import { showToasts } from './toasts.ts';

/* The small script of every page. */

/** A part that cannot be loaded is left out. */
const ignore = (): void => {};

if (readStored('language')) import('./hindi.ts').catch(ignore);
answerAddButtons();
keepBadges();
showToasts();
afterLoad(() => void import('./later.ts').then((later) => later.afterwards(), ignore));
