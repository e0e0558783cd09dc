import { notify } from '#stores/toasts.ts';
import { answerAddButtons } from './shell/add.ts';
import { keepBadges } from './shell/badge.ts';
import { showToasts } from './shell/toasts.ts';

/* The small script of every page. */

answerAddButtons();
keepBadges();
showToasts();

/** The picture that the page has loaded is drawn first. */
const AFTER_LOAD_MS = 300;
const goOn = (): void => void import('./shell/later.ts').then(({ afterwards }) => afterwards(notify));
addEventListener('load', () => setTimeout(goOn, AFTER_LOAD_MS));
