import { notify } from '#stores/toasts.ts';
import { afterLoad } from './after-load.ts';
import { answerAddButtons } from './shell/add.ts';
import { keepBadges } from './shell/badge.ts';
import { showToasts } from './shell/toasts.ts';

/* The small script of every page. */

answerAddButtons();
keepBadges();
showToasts();

afterLoad(() => void import('./shell/later.ts').then(({ afterwards }) => afterwards(notify)));
