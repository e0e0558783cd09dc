import { notify } from '#stores/toasts.ts';
import { answerAddButtons } from './shell/add.ts';
import { keepBadges } from './shell/badge.ts';
import { tendHeader } from './shell/header.ts';
import { showToasts } from './shell/toasts.ts';

/* The small script of every page. */

answerAddButtons();
keepBadges();
tendHeader();
showToasts();
addEventListener('load', () => void import('./shell/later.ts').then(({ afterwards }) => afterwards(notify)));
