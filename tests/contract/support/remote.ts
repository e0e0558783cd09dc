import * as v from 'valibot';
import { beforeEach, inject } from 'vitest';
import { noteTest, takeTarget } from './backend.ts';
import type { Hooks } from './hooks.ts';

/* A setup file: the contract's tests try the backend that `npm run contract` was given. */

const isHooks = (value: unknown): value is Hooks => typeof value === 'object' && value !== null;

const HooksFile = v.object({ hooks: v.custom<Hooks>(isHooks, 'must be an object of functions') });

const { hooksFile, ...told } = inject('contract');
const hooks = hooksFile === undefined ? {} : v.parse(HooksFile, await import(hooksFile)).hooks;
takeTarget({ ...told, hooks });
beforeEach(noteTest);
