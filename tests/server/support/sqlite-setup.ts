import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { noteTest } from '#tests/contract/support/backend.ts';
import { closeDatabases, noteStatements } from './databases.ts';
import { keepStatements } from './statements.ts';

const statements = new Set<string>();
noteStatements((sql) => statements.add(sql));
beforeEach(noteTest);
afterEach(closeDatabases);
afterAll(() => keepStatements(randomUUID(), statements));
