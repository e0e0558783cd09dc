import * as v from 'valibot';
import { beforeEach, inject } from 'vitest';
import { noteTest, takeTarget } from './backend.ts';
import type { Hooks } from './hooks.ts';

/* The setup file of `npm run contract`: the tests run against the given backend. */

const isHooks = (value: unknown): value is Hooks => typeof value === 'object' && value !== null;

const HooksFile = v.object({ hooks: v.custom<Hooks>(isHooks, 'must be an object of functions') });

const { hooksFile, ...target } = inject('contract');
const hooks = hooksFile === undefined ? {} : v.parse(HooksFile, await import(hooksFile)).hooks;
takeTarget({ ...target, hooks });
beforeEach(noteTest);
