import { afterEach, beforeEach } from 'vitest';
import { noteTest } from '#tests/contract/support/backend.ts';
import { closeDatabases } from './databases.ts';

beforeEach(noteTest);
afterEach(closeDatabases);
