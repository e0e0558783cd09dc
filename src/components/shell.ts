import { whenIdle } from '#stores/idle.ts';
import { answerAddButtons } from './shell/add.ts';
import { keepBadges } from './shell/badge.ts';
import { tendHeader } from './shell/header.ts';
import { showToasts } from './shell/toasts.ts';

/* The small script of every page. */

answerAddButtons();
keepBadges();
tendHeader();
showToasts();
whenIdle(() => void import('./shell/store-texts.ts').then(({ refreshStoreTexts }) => refreshStoreTexts()));
