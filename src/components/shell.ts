import { notify } from '#stores/toasts.ts';
import { afterLoad } from './after-load.ts';
import { answerAddButtons } from './shell/add.ts';
import { keepBadges } from './shell/badge.ts';
import { showToasts } from './shell/toasts.ts';

/* The small script of every page. */

answerAddButtons();
keepBadges();
showToasts();

// Out of reach, it is simply not there; what it would tell of that comes with it.
afterLoad(
  () =>
    void import('./shell/later.ts').then(
      (later) => later.afterwards(notify),
      () => {},
    ),
);
